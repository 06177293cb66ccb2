/** What a policy on a fact costs the compiler: each question of the corpus under it, beside the same question without it, in turns. */
import { CompileCache } from '../../core/src/cache/compile-cache.js'
import { compileShared, withHeldValues } from '../../core/src/compile/compile-shared.js'
import { compile } from '../../core/src/compile.js'
import { restrictedModel } from '../../core/src/model/access.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import { boundBy, type SharedViews, sharedView, viewFor } from '../../core/src/model/restrict.js'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { corpusModel } from '../corpus/compiled-once.js'
import { modelText, NOW, readQuestions } from '../corpus/corpus.js'
import { loadText } from '../support/compile.js'
import { type Measurement, percentile, times } from './measurement.js'

/** As a server compiles: rules are not checked, which only tests do. */
const CONTEXT = {
  ...{ dialect: duckdb, functions: builtInFunctions, aggregates: builtInAggregates, now: NOW },
  storedTypes: 'declared' as const,
}
const compiled = (query: object, model: SemanticModel): string => compile(parseQuery(query), model, CONTEXT).sql

/** Whole passes over all questions: with few, the ratio is that of code which is not compiled for good, and differs from run to run. */
const WARM_UP = 50
const ROUNDS = 30

/** Of the pairs that both can be compiled; the policy's own conditions are part of the work. The goal is 1.1. */
export async function restrictedBench(): Promise<readonly Measurement[]> {
  const open = corpusModel()
  const bound = restrictedModel(open, { rows: [PAID], missing: [], withholdsSql: true })
  const asked = readQuestions().filter(({ query }) => [open, bound].every((model) => compiles(query, model)))
  for (let i = 0; i < WARM_UP; i++) for (const { query } of asked) for (const model of [bound, open]) compiled(query, model)
  const pairs = asked.map(({ query }) => besides(query, open, bound))
  const ratios = pairs.map(({ ours, theirs }) => ours / theirs).toSorted((a, b) => a - b)
  const all = pairs.reduce((sum, { ours, theirs }) => ({ ours: sum.ours + ours, theirs: sum.theirs + theirs }))
  const note = `${asked.length} questions, all ${(all.ours / all.theirs).toFixed(2)}, p90 ${percentile(ratios, 0.9).toFixed(2)}`
  const name = 'compile under a policy on a fact, beside the question without it (median)'
  return [{ name, value: percentile(ratios, 0.5), unit: '×', target: 1.1, better: 'less', note }]
}

export const PAID = {
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
    return compiled(query, model) !== ''
  } catch {
    return false
  }
}

/** The medians of both, compiled in turns. */
function besides(query: object, open: SemanticModel, bound: SemanticModel): { readonly ours: number; readonly theirs: number } {
  const once = (model: SemanticModel): readonly number[] => times(1, () => compiled(query, model))
  const oursFirst = () => ({ ours: once(bound), theirs: once(open) })
  const theirsFirst = () => ({ theirs: once(open), ours: once(bound) })
  const rounds = Array.from({ length: ROUNDS }, (_, i) => (i % 2 === 0 ? oursFirst() : theirsFirst()))
  const median = (taken: readonly number[]): number =>
    percentile(
      taken.toSorted((a, b) => a - b),
      0.5,
    )
  return { ours: median(rounds.flatMap(({ ours }) => ours)), theirs: median(rounds.flatMap(({ theirs }) => theirs)) }
}

const PRINCIPALS = 10_000
const RULE = `
access:
  attributes: { statuses: { type: string, list: true } }
  rows: [{ name: own, dataObject: Orders, where: { field: Orders.Status, op: in, value: { attribute: statuses } } }]
  unbound: [Customers, Promotions, Products, Categories, Tags, Product Tags, Price List, Announcements, Regions, Stores, Addresses, Labels, Loyalty, Payments, Shipments, Parcels, Visits, Returns, Items]`

/** Ten thousand principals with a value each ask one question: how often it is compiled, the time of each, and the memory that they take beside one. */
export async function principalsBench(): Promise<readonly Measurement[]> {
  const model = loadText(modelText() + RULE)
  const asked = parseQuery(readQuestions().find(({ name }) => name === QUESTION)?.query)
  const cache = new CompileCache({ maxEntries: 100_000, maxBytes: 1e9, maxEntryBytes: 1e7 })
  const views: SharedViews = new Map()
  const ask = (i: number): string => {
    const rights = { name: 'a', roles: [], attributes: { statuses: [`s${i}`] } }
    const view = viewFor(
      model,
      boundBy(model.access!, rights, () => ''),
      'secret',
      views,
    )
    const shared = sharedView(view)!
    const key = { query: asked, model: view, dialect: 'duckdb', physical: '', defaultLimit: undefined, everyRowOf: undefined }
    const all = { ...key, shownAs: undefined, behind: undefined, rollups: '' }
    const general = () => cache.get({ ...all, model: shared }, NOW, () => compileShared(asked, shared, CONTEXT))
    return cache.filled(all, NOW, general, (one) => withHeldValues(one, view.restriction!.values!, duckdb)).compiled.sql
  }
  const length = ask(0).length
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  const [taken = 0] = times(1, () => {
    for (let i = 1; i < PRINCIPALS; i++) ask(i)
  })
  globalThis.gc?.()
  const bytes = (process.memoryUsage().heapUsed - before) / PRINCIPALS
  const note = `${QUESTION}, ${length} characters of SQL; ${cache.stats.entries} entries`
  return [
    {
      name: `compilations of a question for ${PRINCIPALS} principals`,
      value: cache.stats.misses,
      unit: '',
      target: 1,
      better: 'less',
      note,
    },
    {
      name: 'the statement of a further principal',
      value: (taken * 1000) / PRINCIPALS,
      unit: 'µs',
      target: 200,
      better: 'less',
      note,
    },
    {
      name: 'memory of a further principal, with its kept statement',
      value: bytes / 1024,
      unit: 'kB',
      target: 20,
      better: 'less',
      note,
    },
  ]
}

const QUESTION = readQuestions()[0]!.name
