/** A question on time as each surface takes it. */
import { isDeepStrictEqual } from 'node:util'

export interface Question {
  readonly question: string
  readonly of?: 'flights'
  readonly query: TimeQuery
  readonly sql: string
  /** The codes of its warnings. */
  readonly warns?: readonly string[]
  /** A view that the SQL reads. */
  readonly with?: string
}

interface Condition {
  readonly field: string
  readonly op: string
  readonly value?: unknown
}

/** The keys of a query that the questions use. */
export interface TimeQuery {
  readonly select: { readonly dimensions?: readonly string[]; readonly measures: readonly string[] }
  readonly where?: readonly Condition[]
  readonly having?: readonly Condition[]
  readonly order_by?: readonly { readonly field: string; readonly direction?: string }[]
  readonly limit?: number
  readonly grouping?: string
  readonly fill_gaps?: string
}

/** The question as a statement of semantic QL; `undefined` if it has no words for it: gaps are a key of a query. */
export function statementOf(model: string, query: TimeQuery): string | undefined {
  const { select, where = [], having = [], order_by: order = [], limit, grouping, fill_gaps: gaps } = query
  const { dimensions = [], measures } = select
  if (gaps !== undefined) return undefined
  return [
    `SELECT ${[...dimensions, ...measures].map(quoted).join(', ')} FROM ${model}`,
    ...(where.length > 0 ? [`WHERE ${where.map(condition).join(' AND ')}`] : []),
    ...(grouping === 'rollup' ? [`GROUP BY ROLLUP (${dimensions.map(quoted).join(', ')})`] : []),
    ...(having.length > 0 ? [`HAVING ${having.map(condition).join(' AND ')}`] : []),
    ...(order.length > 0
      ? [`ORDER BY ${order.map(({ field, direction = 'asc' }) => `${quoted(field)} ${direction}`).join(', ')}`]
      : []),
    ...(limit === undefined ? [] : [`LIMIT ${limit}`]),
  ].join('\n')
}

/** The same as the source of an outer statement, which counts its rows. */
export const aroundStatement = (statement: string): string =>
  `WITH asked AS (${statement}) SELECT *, count(*) OVER () AS "how many" FROM asked`

const quoted = (name: string): string => `"${name}"`

function condition({ field, op, value }: Condition): string {
  const name = quoted(field)
  switch (op) {
    case 'between': {
      const [first, last] = value as readonly unknown[]
      return `${name} BETWEEN ${literal(first)} AND ${literal(last)}`
    }
    case 'is_null':
      return `${name} IS NULL`
    case 'is_not_null':
      return `${name} IS NOT NULL`
    case 'relative': {
      if (!isDeepStrictEqual(Object.keys(value as object), ['unit', 'count']))
        throw new Error(`relative ${JSON.stringify(value)}`)
      const { unit, count } = value as { readonly unit: string; readonly count: number }
      const first = `date_trunc('${unit}', current_date)`
      return `${name} >= ${first} AND ${name} < ${first} + INTERVAL '${count} ${unit}'`
    }
    case '=':
    case '<':
    case '>=':
      return `${name} ${op} ${literal(value)}`
    default:
      throw new Error(`no words for ${op}`)
  }
}

function literal(value: unknown): string {
  if (value instanceof Date) return `'${value.toISOString().slice(0, 10)}'`
  return typeof value === 'string' ? `'${value}'` : String(value)
}
