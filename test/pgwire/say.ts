/** A query object as the equivalent SQL statement, if there is one. */
import type { SemanticModel } from '@grainline/core'
import { factsOf } from '@grainline/core/unstable'

type Json = Readonly<Record<string, unknown>>

/** Thrown if SQL cannot express a query. */
class Unsaid extends Error {}

/** The statement; throws the part of the query that SQL cannot express. */
export function say(query: unknown, model: SemanticModel): { readonly sql: string } | { readonly unsaid: string } {
  try {
    return { sql: statementOf(query as Json, model) }
  } catch (error) {
    if (error instanceof Unsaid) return { unsaid: error.message }
    throw error
  }
}

/** The query that the statement means: a table is a fact, so dimensions alone are those of its rows if it reaches them. */
export function asTable(query: unknown, model: SemanticModel): unknown {
  const { select } = query as { readonly select: Readonly<Record<string, readonly unknown[] | undefined>> }
  const { main } = factsOf(model)
  const { dimensions = [], measures = [], fields = [] } = select
  if (main === undefined || dimensions.length === 0 || measures.length > 0 || fields.length > 0) return query
  const reached = reachedFrom(main, model)
  const isReached = (name: unknown): boolean => reached.has(model.dimensions.get(String(name))?.dataObject ?? '')
  return dimensions.every(isReached) ? { ...(query as Json), rows_of: main } : query
}

function reachedFrom(object: string, model: SemanticModel, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(object)) return seen
  seen.add(object)
  for (const { to, secondary } of model.dataObjects.get(object)?.joins ?? []) if (!secondary) reachedFrom(to, model, seen)
  return seen
}

const SAID = new Set(['select', 'where', 'having', 'order_by', 'limit', 'offset', 'grouping'])

function statementOf(query: Json, model: SemanticModel): string {
  const other = Object.keys(query).find((key) => !SAID.has(key))
  if (other !== undefined) throw new Unsaid(other)
  const { dimensions = [], measures = [], fields = [], distinct, ...rest } = query['select'] as Record<string, unknown[]>
  if (Object.keys(rest).length > 0) throw new Unsaid(`select.${Object.keys(rest)[0]}`)
  const keys = dimensions.map((each) => {
    if (typeof each !== 'string') throw new Unsaid(`select.dimensions: ${Object.keys(each as Json)[0]}`)
    return quoted(each)
  })
  const items = [...keys, ...[...measures, ...fields].map((each) => field(String(each), model))]
  const conditions = (name: 'where' | 'having'): string[] => {
    const list = (query[name] ?? []) as unknown[]
    return list.length === 0 ? [] : [`${name.toUpperCase()} ${list.map((each) => condition(each, model)).join(' AND ')}`]
  }
  const order = ((query['order_by'] ?? []) as Json[]).map((each) => {
    if (query['grouping'] !== undefined && isUnselected(each['field'], dimensions, model))
      throw new Unsaid('order_by: a dimension that SQL has neither selected nor grouped')
    const by = typeof each['field'] === 'number' ? String(each['field']) : field(String(each['field']), model)
    return `${by}${each['direction'] === 'desc' ? ' DESC' : ''}${each['nulls'] === 'first' ? ' NULLS FIRST' : ''}`
  })
  return [
    `SELECT ${distinct ? 'DISTINCT ' : ''}${items.join(', ')} FROM ${quoted(model.name!)}`,
    ...conditions('where'),
    ...grouping(query['grouping'], keys),
    ...conditions('having'),
    ...(order.length > 0 ? [`ORDER BY ${order.join(', ')}`] : []),
    ...(query['limit'] === undefined ? [] : [`LIMIT ${query['limit']}`]),
    ...(query['offset'] === undefined ? [] : [`OFFSET ${query['offset']}`]),
  ].join('\n')
}

const isUnselected = (name: unknown, dimensions: readonly unknown[], model: SemanticModel): boolean =>
  model.dimensions.has(String(name)) && !dimensions.includes(name)

function grouping(value: unknown, keys: readonly string[]): string[] {
  if (value === undefined) return []
  if (typeof value === 'string') return [`GROUP BY ${value.toUpperCase()}(${keys.join(', ')})`]
  const { sets, of } = value as { readonly sets: readonly (readonly string[])[]; readonly of?: string }
  if (of === 'shown') throw new Unsaid('grouping: totals of what is shown')
  // In SQL a name without its grain is another key.
  if (sets.flat().some((name) => !keys.includes(quoted(name)))) throw new Unsaid('grouping: a name without its grain')
  return [`GROUP BY GROUPING SETS (${sets.map((set) => `(${set.map(quoted).join(', ')})`).join(', ')})`]
}

const OPERATORS: Readonly<Record<string, string>> = {
  ...{ equals: '=', eq: '=', '=': '=', notequals: '<>', neq: '<>', '!=': '<>', '<>': '<>' },
  ...{ gt: '>', '>': '>', gte: '>=', '>=': '>=', lt: '<', '<': '<', lte: '<=', '<=': '<=' },
  ...{ like: 'LIKE', notlike: 'NOT LIKE', not_like: 'NOT LIKE', regex: '~', notregex: '!~', not_regex: '!~' },
}
const CONTAINS = (left: string, text: string) => `position(lower(${text}) IN lower(${left})) > 0`
const FUNCTIONS: Readonly<Record<string, (left: string, text: string) => string>> = {
  contains: CONTAINS,
  notcontains: (left, text) => `NOT ${CONTAINS(left, text)}`,
  starts_with: (left, text) => `position(lower(${text}) IN lower(${left})) = 1`,
  ends_with: (left, text) => `right(lower(${left}), length(${text})) = lower(${text})`,
  length_eq: (left, text) => `length(${left}) = ${text}`,
  length_lt: (left, text) => `length(${left}) < ${text}`,
  length_gt: (left, text) => `length(${left}) > ${text}`,
}
const LISTS: Readonly<Record<string, string>> = { inlist: 'IN', in: 'IN', notinlist: 'NOT IN', not_in: 'NOT IN' }
const RANGES: Readonly<Record<string, string>> = { between: 'BETWEEN', notbetween: 'NOT BETWEEN', not_between: 'NOT BETWEEN' }
const TESTS: Readonly<Record<string, string>> = {
  set: 'IS NOT NULL',
  is_not_null: 'IS NOT NULL',
  notset: 'IS NULL',
  is_null: 'IS NULL',
}

function condition(filter: unknown, model: SemanticModel): string {
  if (typeof filter !== 'object' || filter === null) throw new Unsaid('a segment')
  const { logic, filters, negated, field: name, op = 'equals', value, ...rest } = filter as Record<string, unknown>
  if (Object.keys(rest).length > 0) throw new Unsaid(`filter.${Object.keys(rest)[0]}`)
  if (filters !== undefined) {
    const parts = (filters as unknown[]).map((each) => condition(each, model))
    const text = `(${parts.join(logic === 'or' ? ' OR ' : ' AND ')})`
    return negated ? `NOT ${text}` : text
  }
  const left = field(String(name), model)
  const word = String(op)
  if (TESTS[word]) return `${left} ${TESTS[word]}`
  const values = Array.isArray(value) ? value : [value]
  // Filters treat NULL and empty lists differently from SQL.
  if (values.length === 0 || values.some((each) => each === null || each === undefined)) throw new Unsaid('NULL or an empty list')
  const texts = values.map(constant)
  if (LISTS[word]) return `${left} ${LISTS[word]} (${texts.join(', ')})`
  if (RANGES[word]) return `${left} ${RANGES[word]} ${texts.join(' AND ')}`
  const [text] = texts
  if (FUNCTIONS[word] && texts.length === 1) return FUNCTIONS[word](left, text!)
  if (OPERATORS[word] && texts.length === 1) return `${left} ${OPERATORS[word]} ${texts[0]}`
  throw new Unsaid(`the operator ${word}`)
}

const constant = (value: unknown): string => (typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value))
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A field by its name, or a column of an object by both names. */
function field(name: string, { dataObjects }: SemanticModel): string {
  const object = [...dataObjects.keys()].find((each) => name.startsWith(`${each}.`))
  return object === undefined ? quoted(name) : `${quoted(object)}.${quoted(name.slice(object.length + 1))}`
}
