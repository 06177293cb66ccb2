/** Segments → filters of tables. */
import { checkKeys, comparisonSql, type KeyUse, Unsaid } from '@grainline/importer-dbt/foreign'
import { keyOf, quotedName } from './identifier.js'
import type { Tables } from './tables.js'

const SEGMENT_KEYS: Readonly<Record<string, KeyUse>> = {
  filters: 'said',
  description: 'said',
  synonyms: 'said',
  owner: 'inert',
}

const FILTER_KEYS: Readonly<Record<string, KeyUse>> = {
  field: 'said',
  op: 'said',
  operator: 'said',
  value: 'said',
  values: 'said',
}

export function segmentsOf(tables: Tables, isStatement: boolean): void {
  for (const { name, filters, description, synonyms = [] } of tables.model.segments.values()) {
    const path = ['segments', name]
    tables.report.item(path, `The segment '${name}'`, () => {
      if (isStatement) throw new Unsaid('a statement has no filters with names', 'Convert to YAML.')
      checkKeys(tables.model.document.segments?.[name] ?? {}, SEGMENT_KEYS)
      const tests = filters.map((filter) => testOf(filter, tables))
      const [first] = tests
      if (!first || tests.some(({ object }) => object !== first.object)) throw new Unsaid('it filters fields of several objects')
      const written = tables.take(first.object, name)
      const sql = tests.map((test) => test.sql).join(' AND ')
      tables.table(first.object).filters.push({ path, name: written, sql, description, synonyms })
      tables.report.lose('rewritten', path, `The segment '${name}' is a filter of the table '${first.object}'.`)
    })
  }
}

interface Filter {
  readonly field?: unknown
  readonly op?: unknown
  readonly operator?: unknown
  readonly value?: unknown
  readonly values?: unknown
}

function testOf(filter: unknown, tables: Tables): { readonly object: string; readonly sql: string } {
  const given = (typeof filter === 'object' && filter !== null ? filter : {}) as Filter
  checkKeys(given, FILTER_KEYS)
  const dimension = tables.model.dimensions.get(String(given.field))
  if (!dimension || dimension.timeGrain) throw new Unsaid(`it filters '${String(given.field)}'`)
  const { name } = tables.dimension(dimension.name)
  const operator = OPERATORS[String(given.op ?? given.operator ?? '=').toLowerCase()]
  if (operator === undefined)
    throw new Unsaid(`a filter with the operator '${String(given.op ?? given.operator)}' has no place in the text`)
  const { value = given.values } = given
  const values = (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(plain)
  const spelling = tables.spelling(dimension.dataObject)
  return {
    object: dimension.dataObject,
    sql: comparisonSql(quotedName(keyOf(name)), dimension.type, { operator, values }, spelling),
  }
}

function plain(value: unknown): string | number | boolean | null {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as string | number | boolean | null
  throw new Unsaid('a filter has a value that is no literal')
}

const OPERATORS: Readonly<Record<string, Parameters<typeof comparisonSql>[2]['operator']>> = {
  ...{ '=': 'eq', eq: 'eq', equals: 'eq', '!=': 'neq', '<>': 'neq', neq: 'neq', notequals: 'neq' },
  ...{ '>': 'gt', gt: 'gt', '>=': 'gte', gte: 'gte', '<': 'lt', lt: 'lt', '<=': 'lte', lte: 'lte' },
  ...{ in: 'in', inlist: 'in', not_in: 'not_in', notinlist: 'not_in', between: 'between', notbetween: 'not_between' },
  ...{ set: 'is_not_null', is_not_null: 'is_not_null', notset: 'is_null', is_null: 'is_null', not_between: 'not_between' },
}
