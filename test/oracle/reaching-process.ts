/** Notes which of some branches generated questions take. `scripts/branches.mjs` runs it in bundles that note branches, and chooses questions for reaching.txt. */
import { readFileSync, writeFileSync } from 'node:fs'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { compileQuery, NOW, parseModelJson } from './compiled.js'
import { generateCase } from './generate/case.js'
import { kindsNamed, type Later, namesOfKinds } from './generate/later.js'
import { physicalOf } from './storage.js'

const [seed = 0, count = 0] = process.argv.slice(2, 4).map(Number)
const [wanted = '', found = ''] = process.argv.slice(4)
const left: readonly number[] = JSON.parse(readFileSync(wanted, 'utf8'))
/** 1 at the number of each branch that was taken. */
const taken: Uint8Array = Reflect.get(globalThis, '__taken')

const questions = namesOfKinds().flatMap((kinds) =>
  Array.from({ length: count }, (_, index) => ({ kinds, seed, index, takes: takenBy(kindsNamed(kinds), index) })),
)
writeFileSync(found, JSON.stringify(questions.filter(({ takes }) => takes.length > 0)))

function takenBy(kinds: readonly Later[], index: number): readonly number[] {
  try {
    const { model, query } = generateCase(seed, index, kinds)
    taken.fill(0)
    compileQuery(query, parseModelJson(model), NOW, physicalOf(model, duckdb)).explain()
  } catch {
    // A refusal takes branches, too.
  }
  return left.filter((branch) => taken[branch] === 1)
}
