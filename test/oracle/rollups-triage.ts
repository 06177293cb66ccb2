/**
 * How many generated questions are answered from rollup tables, and which differ from the answer of the facts:
 * `node --conditions=@grainline/source --import tsx test/oracle/rollups-triage.ts FROM COUNT [SHOW]`. ORACLE_SEED and ORACLE_LATER choose other cases.
 */
import { openEngine } from './duckdb.js'
import { generateCase } from './generate/case.js'
import { difference, replaced } from './rollups.js'

const [from, count] = [Number(process.argv[2] ?? 0), Number(process.argv[3] ?? 500)]
const shows = process.argv[4] !== undefined
const seed = Number(process.env['ORACLE_SEED'] ?? 20260115)
const engine = await openEngine()
let [asked, read, faulty] = [0, 0, 0]
const started = performance.now()
for (let index = from; index < from + count; index++) {
  const { expected, ...one } = generateCase(seed, index)
  if ('refused' in expected) continue
  asked++
  try {
    const found = replaced(one, `${seed} ${index}`)
    if (!found?.tables) continue
    read++
    await engine.load(one.model, one.data)
    const differs = await difference(found, engine)
    if (differs === undefined) continue
    faulty++
    console.log(`case ${index}: ${differs}`)
    if (shows) console.log(JSON.stringify([one.query, found.rollups], null, 1), '\n', found.facts.sql, '\n', found.tables.sql)
  } catch (error) {
    faulty++
    console.log(`case ${index}: ${shows && error instanceof Error ? error.stack : String(error).slice(0, 300)}`)
  }
}
engine.close()
console.log(`${asked} questions, ${read} read tables, ${faulty} faults, ${Math.round((performance.now() - started) / 1000)} s`)
