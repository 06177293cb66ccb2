/**
 * Writes docs/reference/feature-pairs.md: which features of the language meet in how many generated cases, all of which have the answer of the oracle.
 * `node --conditions=@grainline/source --import tsx test/oracle/pairs-page.ts COUNT`. ORACLE_SEED and ORACLE_LATER as for `triage.ts`.
 */
import { writeFileSync } from 'node:fs'
import { compareCase } from './compare.js'
import { runOn } from './compiled.js'
import { openEngine } from './duckdb.js'
import { generateCase } from './generate/case.js'
import { FEATURES, type Feature } from './generate/features.js'
import { laterKinds } from './generate/later.js'
import { groupBy } from './group-by.js'
import { impossible, pairCounter, pairOf } from './pairs.js'

const count = Number(process.argv[2] ?? 5000)
const seed = Number(process.env['ORACLE_SEED'] ?? 20260115)
const later = laterKinds(process.env['ORACLE_LATER'] ?? 'all')
const engine = await openEngine()
const run = runOn(engine)
const { counts, see } = pairCounter()
let right = 0
const wrong: number[] = []
for (let index = 0; index < count; index++) {
  const { expected, ...one } = generateCase(seed, index, later)
  if ('refused' in expected) continue
  const mismatch = await compareCase(one, run, expected)
  if (mismatch) wrong.push(index)
  else {
    right++
    see(one)
  }
}
engine.close()
const times = (a: Feature, b: Feature): number => counts.get(pairOf(a, b)) ?? counts.get(pairOf(b, a)) ?? 0
writeFileSync('docs/reference/feature-pairs.md', page())
console.log(`${right} right; wrong, and not counted: ${wrong.join(', ') || 'none'}`)

function page(): string {
  const rows = FEATURES.map((feature) => {
    const others = FEATURES.filter((f) => f !== feature)
    const met = others.filter((f) => times(feature, f) > 0).map((f) => `${f} ${times(feature, f)}`)
    const reasons = groupBy(
      others.filter((f) => times(feature, f) === 0),
      (f) => impossible(feature, f) ?? 'not met in these cases',
    )
    const never = [...reasons].map(([why, of]) => `${of.join(', ')}: ${why}`)
    return `| ${feature} | ${times(feature, feature)} | ${met.join(', ')} | ${never.join('; ')} |`
  })
  return [
    '# Features in pairs',
    '',
    'Which features of the language met in one question, and how often: the answers of DuckDB to the compiled SQL were compared with those of the',
    `reference evaluator in \`test/oracle\`, which shares no code with the compiler. ${right} generated questions with an answer, seed ${seed}, with the right answer.`,
    'Written by `test/oracle/pairs-page.ts`.',
    '',
    '| Feature | Questions | Together with | Never with |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
