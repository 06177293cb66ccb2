/**
 * Generated questions that take branches of the compiler which no other test takes (reaching.txt, chosen by `npm run branches -- --choose=SEED`) have
 * the answers of the oracle.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { runBatch } from './batch.js'
import { runOn } from './compiled.js'
import { openEngine } from './duckdb.js'
import { kindsNamed, namesOfKinds } from './generate/later.js'

const lines = readFileSync(path.join(import.meta.dirname, 'reaching.txt'), 'utf8')
  .split('\n')
  .slice(1)
  .filter(Boolean)

t.test(`${lines.length} questions that take rare ways through the compiler`, async (t) => {
  const engine = await openEngine()
  t.teardown(engine.close)
  const run = runOn(engine)
  for (const line of lines) {
    const [name, seed, from] = partsOf(line)
    const kinds = namesOfKinds().find((one) => one === name)
    if (!kinds) {
      t.fail(`no kinds have the name of '${line}'`)
      continue
    }
    const { failures } = await runBatch(run, Number(seed), { from: Number(from), count: 1, later: kindsNamed(kinds) })
    t.same(failures, [], line)
  }
})

/** `joins over time: 341 7` */
const partsOf = (line: string): readonly string[] => /^(.*): (\d+) (\d+)$/.exec(line)?.slice(1) ?? []
