/** Conditions of measures and segments → SQL. */
import type { DataType, Measure } from '@grainline/core/language'
import { Unsaid } from './unsaid.js'
import { literalSql, type SqlSpelling, type ValueSpelling, writtenSql } from './written-sql.js'

export type Condition = Measure['filters'][number]
/** A column of the model. */
export interface ColumnRef {
  readonly kind: 'column'
  readonly object: string
  readonly column: string
}

type Leaf = Extract<Condition, { readonly kind: 'leaf' }>
type Values = Pick<Leaf, 'operator' | 'values' | 'orMissing'>

export function conditionSql(condition: Condition, spelling: SqlSpelling<ColumnRef>): string {
  switch (condition.kind) {
    case 'leaf':
      if (condition.grain) throw new Unsaid('a filter compares periods of a time')
      return comparisonSql(spelling.leaf(condition.column), spelling.typeOf(condition.column), condition, spelling)
    case 'expression':
      return writtenSql(condition.expression, spelling)
    case 'group': {
      if (condition.orMissing) throw new Unsaid('a filter with orMissing has no place in the text')
      const members = condition.filters.map((member) => conditionSql(member, spelling))
      const group = `(${members.join(condition.logic === 'or' ? ' OR ' : ' AND ')})`
      return condition.negated ? `(NOT ${group})` : group
    }
    case 'exists':
      throw new Unsaid('a filter looks for other rows')
  }
}

const SIGNS: Readonly<Record<string, string>> = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' }

/** The comparison of a value with others. */
export function comparisonSql(
  subject: string,
  type: DataType | undefined,
  { operator, values, orMissing }: Values,
  spelling: ValueSpelling,
): string {
  const written = values.map((value) => valueSql(value, type, spelling))
  const test = testSql(subject, operator, written)
  return orMissing ? `(${test} OR ${subject} IS NULL)` : test
}

function testSql(subject: string, operator: string, written: readonly string[]): string {
  const [first, second] = written
  const sign = SIGNS[operator]
  if (sign !== undefined && first === 'NULL') {
    if (sign !== '=' && sign !== '<>') throw new Unsaid('a filter compares with null')
    return `(${subject} IS ${sign === '=' ? '' : 'NOT '}NULL)`
  }
  if (written.includes('NULL')) throw new Unsaid('a filter has null in a list')
  if (sign !== undefined && first !== undefined) return `(${subject} ${sign} ${first})`
  switch (operator) {
    case 'in':
    case 'not_in':
      return `(${subject} ${operator === 'in' ? '' : 'NOT '}IN (${written.join(', ')}))`
    case 'is_null':
    case 'is_not_null':
      return `(${subject} IS ${operator === 'is_null' ? '' : 'NOT '}NULL)`
    case 'between':
    case 'not_between':
      if (first !== undefined && second !== undefined)
        return `(${operator === 'between' ? '' : 'NOT '}(${subject} BETWEEN ${first} AND ${second}))`
  }
  throw new Unsaid(`a filter with the operator '${operator}' has no place in the text`)
}

function valueSql(value: Leaf['values'][number], type: DataType | undefined, spelling: ValueSpelling): string {
  if (value === null) return 'NULL'
  if (typeof value === 'object') throw new Unsaid('a filter reads a parameter')
  const text = String(value)
  const form = type && FORMS[type.kind]
  if (!type || !form?.test(text)) throw new Unsaid(`a filter compares a ${type?.kind ?? 'column without a type'} with '${text}'`)
  return literalSql(type.kind === 'boolean' ? text === 'true' : text, type, spelling)
}

const FORMS: Partial<Readonly<Record<DataType['kind'], RegExp>>> = {
  string: /^/,
  boolean: /^(true|false)$/,
  int: /^-?\d+$/,
  decimal: /^-?\d+(\.\d+)?$/,
  float: /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i,
  date: /^\d{4}-\d\d-\d\d$/,
  timestamp: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?$/,
}
