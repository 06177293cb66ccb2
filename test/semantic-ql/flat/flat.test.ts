/**
 * Statements over a model mean what they mean over one flat table of the rows of its fact. FLAT_SEED and FLAT_CASES choose the statements.
 */
import t from 'tap'
import { randomFrom } from '../../oracle/generate/random.js'
import { amount } from '../../support/amount.js'
import { ledger, type Rows } from './ledger.js'
import { generateStatement } from './statements.js'

const seed = Number(process.env['FLAT_SEED'] ?? Date.now() % 1_000_000)
const cases = Number(process.env['FLAT_CASES'] ?? amount(30, 2500))
const world = await ledger()
t.teardown(world.close)

const sorted = (rows: Rows): string[] => rows.map((row) => JSON.stringify(row)).toSorted()

t.test(`${cases} statements of seed ${seed} as over one flat table`, async (t) => {
  for (let i = 0; i < cases; i++) {
    const { model, flat } = generateStatement(randomFrom(Math.imul(seed, 0x85ebca6b) + Math.imul(i + 1, 0xc2b2ae35)))
    const [got, wanted] = await Promise.all([world.model(model).catch((error: Error) => error), world.flat(flat)])
    if (got instanceof Error) t.fail(`${i}: ${model}: ${got.message}`)
    else if (sorted(got).join() !== sorted(wanted).join()) t.same(sorted(got), sorted(wanted), `${i}: ${model}`)
  }
})
