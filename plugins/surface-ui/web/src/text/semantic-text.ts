/** A query as semantic QL, for people who read SQL. It says which parts semantic QL cannot express. */
import { canonical } from '../query/operators.js'
import { type Condition, type Filter, isFilter, type Order, type Query } from '../query/query.js'

/** The statement, or the reason why there is none. */
export type Written = { readonly sql: string } | { readonly reason: string }

const KNOWN: ReadonlySet<string> = new Set(['select', 'where', 'having', 'order_by', 'limit', 'offset', 'grouping'])

export function writeSemantic(query: Query, model: string): Written {
  try {
    return { sql: statementOf(query, model) }
  } catch (error) {
    if (error instanceof Unsaid) return { reason: error.message }
    throw error
  }
}

class Unsaid extends Error {}

const unsaid = (what: string): never => {
  throw new Unsaid(`${what} has no words in semantic QL; it is kept in YAML and JSON.`)
}

function statementOf(query: Query, model: string): string {
  const other = Object.keys(query).find((key) => !KNOWN.has(key))
  if (other !== undefined) unsaid(`'${other}'`)
  const { select, where = [], having = [], order_by = [], limit, grouping } = query
  if (select.distinct) unsaid('distinct rows')
  const dimensions = (select.dimensions ?? []).map((pick) =>
    typeof pick === 'string' ? named(pick) : unsaid(`'${pick.as}', a field that the question makes itself,`),
  )
  const fields = (select.fields ?? []).map((field) => field.split('.').map(named).join('.'))
  const columns = [...dimensions, ...(select.measures ?? []).map(named), ...fields]
  if (columns.length === 0) unsaid('A question without fields')
  const offset = query['offset']
  return [
    `SELECT ${columns.join(',\n       ')}`,
    `FROM ${named(model)}`,
    ...conditions('WHERE', where),
    ...groups(grouping, dimensions),
    ...conditions('HAVING', having),
    ...(order_by.length > 0 ? [`ORDER BY ${order_by.map(ordered).join(', ')}`] : []),
    ...(limit === undefined ? [] : [`LIMIT ${limit}`]),
    ...(typeof offset === 'number' ? [`OFFSET ${offset}`] : []),
  ].join('\n')
}

function groups(grouping: unknown, dimensions: readonly string[]): readonly string[] {
  if (grouping === undefined || grouping === null) return []
  if (grouping === 'rollup' || grouping === 'cube') return [`GROUP BY ${grouping.toUpperCase()} (${dimensions.join(', ')})`]
  return unsaid('A list of subtotals')
}

const conditions = (word: string, list: readonly Condition[]): readonly string[] =>
  list.length === 0 ? [] : [`${word} ${list.map(condition).join('\n  AND ')}`]

const COMPARED: Readonly<Record<string, string>> = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' }

function condition(each: Condition): string {
  if (!isFilter(each)) return unsaid('A group of filters')
  return each.or_missing ? `(${comparison(each)} OR ${named(each.field)} IS NULL)` : comparison(each)
}

function comparison(each: Filter): string {
  const { field, value } = each
  const op = canonical(each.op)
  const name = named(field)
  if (COMPARED[op] !== undefined) return `${name} ${COMPARED[op]} ${literal(value)}`
  switch (op) {
    case 'in':
      return `${name} IN (${list(value)})`
    case 'not_in':
      return `${name} NOT IN (${list(value)})`
    case 'between': {
      const [low, high] = Array.isArray(value) ? value : []
      return `${name} BETWEEN ${literal(low)} AND ${literal(high)}`
    }
    case 'is_null':
      return `${name} IS NULL`
    case 'is_not_null':
      return `${name} IS NOT NULL`
    case 'like':
      return `${name} LIKE ${literal(value)}`
    default:
      return unsaid(`The filter '${each.op}'`)
  }
}

function list(value: unknown): string {
  const values = Array.isArray(value) ? value : [value]
  if (values.length === 0 || values.includes(null)) unsaid('A list that is empty, or contains null,')
  return values.map(literal).join(', ')
}

function literal(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : unsaid('A filter with such a value')
}

function ordered({ field, direction, nulls }: Order): string {
  const by = typeof field === 'number' ? String(field) : named(field)
  return `${by}${direction === 'desc' ? ' DESC' : ''}${nulls === undefined ? '' : ` NULLS ${nulls.toUpperCase()}`}`
}

const named = (name: string): string => `"${name.replaceAll('"', '""')}"`
