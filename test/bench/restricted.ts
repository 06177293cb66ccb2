/** What a policy on a fact costs the compiler: each question of the corpus under it, beside the same question without it, in turns. */
import { restrictedModel } from '../../core/src/model/access.js'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { corpusModel } from '../corpus/compiled-once.js'
import { compileFor, readQuestions } from '../corpus/corpus.js'
import { type Measurement, percentile, times } from './measurement.js'

const WARM_UP = 5
const ROUNDS = 15

/** Of the pairs that both can be compiled; the policy's own conditions are part of the work. The goal is 1.1. */
export async function restrictedBench(): Promise<readonly Measurement[]> {
  const open = corpusModel()
  const bound = restrictedModel(open, { rows: [PAID], missing: [], withholdsSql: true })
  const asked = readQuestions().filter(({ query }) => [open, bound].every((model) => compiles(query, model)))
  for (const { query } of asked) for (const model of [open, bound]) times(WARM_UP, () => compileFor(duckdb, query, model))
  const pairs = asked.map(({ query }) => besides(query, open, bound))
  const ratios = pairs.map(({ ours, theirs }) => ours / theirs).toSorted((a, b) => a - b)
  const all = pairs.reduce((sum, { ours, theirs }) => ({ ours: sum.ours + ours, theirs: sum.theirs + theirs }))
  const note = `${asked.length} questions, all ${(all.ours / all.theirs).toFixed(2)}, p90 ${percentile(ratios, 0.9).toFixed(2)}`
  const name = 'compile under a policy on a fact, beside the question without it (median)'
  return [{ name, value: percentile(ratios, 0.5), unit: '×', target: 1.25, better: 'less', note }]
}

const PAID = {
  label: '',
  dataObject: 'Orders',
  condition: {
    kind: 'leaf',
    column: { kind: 'column', object: 'Orders', column: 'Status' },
    operator: 'eq',
    values: ['paid'],
    path: '',
  },
} as const

function compiles(query: object, model: SemanticModel): boolean {
  try {
    return compileFor(duckdb, query, model).sql !== ''
  } catch {
    return false
  }
}

/** The medians of both, compiled in turns. */
function besides(query: object, open: SemanticModel, bound: SemanticModel): { readonly ours: number; readonly theirs: number } {
  const once = (model: SemanticModel): readonly number[] => times(1, () => compileFor(duckdb, query, model))
  const rounds = Array.from({ length: ROUNDS }, () => ({ ours: once(bound), theirs: once(open) }))
  const median = (taken: readonly number[]): number =>
    percentile(
      taken.toSorted((a, b) => a - b),
      0.5,
    )
  return { ours: median(rounds.flatMap(({ ours }) => ours)), theirs: median(rounds.flatMap(({ theirs }) => theirs)) }
}
