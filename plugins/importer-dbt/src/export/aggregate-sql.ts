/** Measures → aggregates of SQL. */
import type { Exported, SemanticModel } from '@grainline/core'
import type { Measure } from '@grainline/core/language'
import { type ColumnRef, conditionSql } from './condition-sql.js'
import { reachOf } from './reach.js'
import type { Report } from './report.js'
import { Unsaid } from './unsaid.js'
import { type SqlSpelling, writtenSql } from './written-sql.js'

export interface AggregateContext {
  /** The object whose rows are aggregated. */
  readonly home: string
  readonly model: SemanticModel
  readonly report: Report
  readonly path: Exported['written'][number]
  readonly spelling: SqlSpelling<ColumnRef>
  /** Aggregates with the same meaning there, by their names in the model. */
  readonly aggregates: Readonly<Record<string, string>>
  /** Aggregates with another name, whose value is one of several there. */
  readonly rewritten?: Readonly<Record<string, { readonly name: string; readonly says: string }>>
}

/** The aggregate of a measure; its filters are inside. Throws `Unsaid`. */
export function aggregateSql(measure: Measure, context: AggregateContext): string {
  const { home, model, report, path, spelling, aggregates, rewritten = {} } = context
  const { aggregation, inputs, distinct, filters, name } = measure
  let reached: ReadonlySet<string> | undefined
  const inReach: SqlSpelling<ColumnRef> = {
    ...spelling,
    leaf: (leaf) => {
      if (leaf.object !== home) reached ??= reachOf(home, model)
      if (reached && leaf.object !== home && !reached.has(leaf.object))
        throw new Unsaid(`rows of '${home}' do not lead to one row of '${leaf.object}'`)
      return spelling.leaf(leaf)
    },
  }
  const tests = filters.map((filter) => conditionSql(filter, inReach))
  if (tests.length > 0)
    report.lose(
      'rewritten',
      path,
      `The filters of '${name}' are conditions inside of its aggregate: groups without such rows are in an answer there.`,
    )
  const when = (value: string) => (tests.length === 0 ? value : `CASE WHEN ${tests.join(' AND ')} THEN ${value} END`)
  const [input, second] = inputs
  if (second !== undefined) throw new Unsaid('it has several inputs')
  if (input === undefined) {
    if (aggregation !== 'count') throw new Unsaid('it has no input')
    return tests.length === 0 ? 'COUNT(*)' : `COUNT(${when('1')})`
  }
  if (countsRows(measure)) return 'COUNT(*)'
  const value = when(writtenSql(input, inReach))
  if (aggregation === 'percentile') return `PERCENTILE_CONT(${measure.percentile}) WITHIN GROUP (ORDER BY ${value})`
  if (aggregation === 'count_distinct') return `COUNT(DISTINCT ${value})`
  const change = rewritten[aggregation]
  if (change) report.lose('rewritten', path, `'${name}' ${change.says}.`)
  const written = change?.name ?? (Object.hasOwn(aggregates, aggregation) ? aggregates[aggregation] : undefined)
  if (written === undefined) throw new Unsaid(`the aggregation '${aggregation}' has another meaning there, or none`)
  return `${written}(${distinct ? 'DISTINCT ' : ''}${value})`
}

/** Whether all rows count: `COUNT(*)` is read as the count of a constant. */
export function countsRows({ aggregation, distinct, filters, inputs: [input] }: Measure): boolean {
  if (aggregation !== 'count' || distinct || filters.length > 0) return false
  return input === undefined || (input.kind === 'literal' && input.value !== null)
}

/** The objects whose columns are inputs. */
export const objectsIn = ({ inputs }: Measure): ReadonlySet<string> => new Set(columnsIn(inputs).map(({ object }) => object))

/** The columns that an expression or a condition reads. */
export function columnsIn(value: unknown): readonly ColumnRef[] {
  const found: ColumnRef[] = []
  const ahead: unknown[] = [value]
  while (ahead.length > 0) {
    const next = ahead.pop()
    if (typeof next !== 'object' || next === null) continue
    if (isColumn(next)) found.push(next)
    else ahead.push(...Object.values(next))
  }
  return found
}

const isColumn = (node: object): node is ColumnRef => 'kind' in node && node.kind === 'column'
