/**
 * Which kinds of mismatch the cases FROM … FROM+COUNT−1 show, the most frequent first, with the numbers of some cases of each:
 * `node --conditions=@grainline/source --import tsx test/oracle/triage.ts FROM COUNT [SKIP]`. SKIP leaves out cases whose text matches it.
 * ORACLE_SEED chooses another seed, ORACLE_LATER the kinds beyond the basic language (`generate/later.ts`),
 * ORACLE_POLICIES=true asks under policies. Then `show.ts N…`.
 */
import { compareCase } from './compare.js'
import { runOn } from './compiled.js'
import { openEngine } from './duckdb.js'
import { laterKinds } from './generate/later.js'
import { askedCases } from './under-policies.js'

const [from, count] = [Number(process.argv[2] ?? 0), Number(process.argv[3] ?? 500)]
const skip = process.argv[4] === undefined ? undefined : new RegExp(process.argv[4])
const seed = Number(process.env['ORACLE_SEED'] ?? 20260115)

const engine = await openEngine()
const { asks, generate } = askedCases()
const run = runOn(engine, undefined, asks)
const kinds = new Map<string, number[]>()
const put = (kind: string, index: number): void => void kinds.set(kind, [...(kinds.get(kind) ?? []), index])
let answered = 0
for (let index = from; index < from + count; index++) {
  const { expected, ...one } = generate(seed, index, laterKinds())
  if (skip?.test(JSON.stringify([one.model, one.query]))) continue
  if (!('refused' in expected)) answered++
  const mismatch = await compareCase(one, run, expected)
  if (mismatch) put(`${mismatch.kind}: ${mismatch.message.replace(/["'][^"']*["']|\d+/g, '·').slice(0, 110)}`, index)
}
engine.close()
const faulty = [...kinds].toSorted((a, b) => b[1].length - a[1].length)
for (const [kind, indexes] of faulty) console.log(indexes.length, kind, indexes.slice(0, 8).join(','))
console.log(`${count} cases, ${answered} with an answer, ${faulty.reduce((n, [, v]) => n + v.length, 0)} mismatches`)
