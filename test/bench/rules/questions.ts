/** What the rules for speed are measured with: the questions of the benchmarks and of the analysts, and those of a ledger for the rules that none of these needs. */
import { readFileSync } from 'node:fs'
import type { CompileContext } from '../../../core/src/compile/compile-context.js'
import { compileRollup } from '../../../core/src/compile/compile-rollup.js'
import { compile, RULES } from '../../../core/src/compile.js'
import { builtInAggregates } from '../../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../../core/src/model/functions/catalogue.js'
import type { SemanticModel, TableSource } from '../../../core/src/model/semantic-model.js'
import { parseQuery } from '../../../core/src/query/parse-query.js'
import type { Dialect } from '../../../core/src/sql/dialect.js'
import { loadText, NOW } from '../../support/compile.js'

export interface RuleQuestion {
  readonly name: string
  readonly query: unknown
  readonly model: SemanticModel
  readonly rollupTables?: ReadonlyMap<string, TableSource>
}

/** A statement with all rules, and the same question without one of them. */
export interface RulePair {
  readonly rule: string
  readonly question: string
  readonly ours: string
  readonly theirs: string
}

const textOf = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8')

export const ledger = loadText(textOf('ledger.yaml'))

/** The statements that make the tables of the ledger. */
export const ledgerTables = (postings: number): readonly string[] =>
  textOf('ledger.sql').replaceAll('$POSTINGS', String(postings)).split(/;\n/).filter(Boolean)

const DAILY = 'daily_postings'
const DAILY_TABLE: TableSource = { kind: 'table', database: undefined, schema: undefined, name: DAILY }

/** The statement that makes the rollup table of the ledger. */
export const ledgerRollup = (dialect: Dialect): string => {
  const [rollup] = [...ledger.rollups.values()]
  if (!rollup) throw new Error('the ledger has no rollup')
  return `CREATE TABLE ${DAILY} AS ${compileRollup(rollup, ledger, contextOf(dialect)).sql}`
}

const asked = (name: string, dimensions: readonly string[], measures: readonly string[], more: object = {}): RuleQuestion => ({
  name: `ledger: ${name}`,
  query: { select: { dimensions, measures }, ...more },
  model: ledger,
})

const where = [{ field: 'Day', op: 'between', value: ['2024-03-01', '2024-04-30'] }]
const first = { limit: 20, order_by: [{ field: 'Amount', direction: 'desc' }], grouping: { sets: 'rollup', of: 'shown' } }
const having = [{ field: 'Greatest', op: '>', value: 900 }]

export const ledgerQuestions: readonly RuleQuestion[] = [
  asked('accounts with all below them', ['Upper'], ['Amount']),
  asked('values by the prices of their days', ['Product'], ['Value']),
  asked('seven days up to each', ['Day', 'Product'], ['Amount', 'Amount of Seven Days']),
  asked('open amounts a month before', ['Day:month'], ['Amount', 'Open a Month Before']),
  asked('two months and those of the year before', [], ['Amount', 'A Year Before'], { where }),
  asked('two months and those of the year before, by product', ['Product'], ['Amount', 'A Year Before'], { where }),
  asked('customers with a large amount', ['Customer'], ['Amount', 'Greatest'], { having }),
  asked(
    'the twenty first days and products, with totals of these',
    ['Day', 'Product'],
    ['Amount', 'Amount of Seven Days'],
    first,
  ),
  asked('retail quarters and what was sold a retail month before', ['Day:retail_quarter'], ['Amount', 'A Retail Month Before']),
  asked('declared digits', ['Day', 'Product'], ['Weighted']),
  { ...asked('months from a rollup table', ['Day:month'], ['Amount']), rollupTables: new Map([['Daily', DAILY_TABLE]]) },
]

const contextOf = (dialect: Dialect): CompileContext => ({
  ...{ dialect, functions: builtInFunctions, aggregates: builtInAggregates, now: NOW },
  ...{ storedTypes: 'declared', checksRules: true },
})

/** The statement of a question beside those without each of some rules that changes it. */
export function pairsOf(
  { name, query, model, rollupTables }: RuleQuestion,
  dialect: Dialect,
  rules: readonly string[] = RULES,
): readonly RulePair[] {
  const context = { ...contextOf(dialect), ...(rollupTables && { rollupTables }) }
  const compiledWithout = (without: readonly string[]) =>
    compile(parseQuery(query), model, { ...context, without: new Set(without) })
  const { sql: ours, explain } = compiledWithout([])
  const possible = explain().rules
  return rules
    .filter((rule) => possible.includes(rule))
    .map((rule) => ({ rule, question: name, ours, theirs: compiledWithout([rule]).sql }))
    .filter(({ theirs }) => theirs !== ours)
}
