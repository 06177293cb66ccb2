import type { EntitySet } from '../names/entity-set.js'
import type { Expression } from '../query/expression.js'
import type { Aggregate, Computed, Method, Ordered, Transformation } from '../query/transformation.js'
import { type Column, type Columns, columnNamed, quoted } from './columns.js'
import { expressionSql, type Scope } from './expression-sql.js'
import type { Parameters } from './parameters.js'

/**
 * A statement that is being written: one SELECT over `from`. Each step returns another one. A step that the SELECT cannot contain in
 * addition, because rows are already grouped or limited, becomes a SELECT over it.
 */
export interface Relation {
  readonly from: string
  readonly columns: Columns
  /** The columns of the answer, in order; `undefined`: all columns of an entity set, and those of `added`. */
  readonly shown: readonly string[] | undefined
  /** Computed columns beside all those of an entity set. */
  readonly added: readonly string[]
  /** Equal rows are one row. */
  readonly isDistinct: boolean
  readonly isGrouped: boolean
  readonly groups: readonly string[]
  readonly where: readonly string[]
  readonly having: readonly string[]
  readonly order: readonly string[]
  readonly offset: number
  readonly limit: number | undefined
}

/** The rows of an entity set. */
export function relationOf({ relation, properties }: EntitySet): Relation {
  const columns = properties.map(({ name, field, type, isMeasure }): [string, Column] => [
    name,
    { sql: quoted(field), type, isMeasure },
  ])
  return { ...NOTHING, from: quoted(relation), columns: new Map(columns), shown: undefined }
}

const NOTHING = {
  added: [],
  isDistinct: false,
  isGrouped: false,
  groups: [],
  where: [],
  having: [],
  order: [],
  offset: 0,
  limit: undefined,
}

/** The steps of `$apply`, one after another. */
export function applied(relation: Relation, steps: readonly Transformation[], parameters: Parameters): Relation {
  return steps.reduce((before, step) => transformed(before, step, parameters), relation)
}

function transformed(relation: Relation, step: Transformation, parameters: Parameters): Relation {
  switch (step.kind) {
    case 'filter':
      return filtered(relation, step.condition, { option: '$apply', parameters })
    case 'compute':
      return computed(relation, step.columns, { option: '$apply', parameters })
    case 'group':
      return grouped(relation, step, parameters)
    case 'order':
      return ordered(relation, step.order, { option: '$apply', parameters })
    case 'skip':
      return skipped(relation, step.rows)
    case 'top':
      return limited(relation, step.rows)
  }
}

type Place = Omit<Scope, 'columns'>

export function filtered(relation: Relation, condition: Expression, place: Place): Relation {
  const base = isCut(relation) ? wrapped(relation) : relation
  const sql = expressionSql(condition, { ...place, columns: base.columns })
  return base.isGrouped ? { ...base, having: [...base.having, sql] } : { ...base, where: [...base.where, sql] }
}

export function computed(relation: Relation, columns: readonly Computed[], place: Place): Relation {
  const base = isCut(relation) ? wrapped(relation) : relation
  const added = columns.map(({ expression, as }): [string, Column] => [
    as,
    { sql: expressionSql(expression, { ...place, columns: base.columns }) },
  ])
  const names = added.map(([name]) => name)
  const table = new Map([...base.columns, ...added])
  return base.shown === undefined
    ? { ...base, columns: table, added: [...base.added, ...names] }
    : { ...base, columns: table, shown: [...base.shown, ...names] }
}

function grouped(
  relation: Relation,
  { by, aggregates }: Extract<Transformation, { readonly kind: 'group' }>,
  parameters: Parameters,
): Relation {
  const base = relation.isGrouped || isCut(relation) ? wrapped(relation) : relation
  const scope: Scope = { columns: base.columns, option: '$apply', parameters }
  const groups = by.map((name): [string, Column] => [name, columnNamed(name, base.columns, '$apply')])
  const computedColumns = aggregates.map((aggregate): [string, Column] => [
    aggregate.as,
    { sql: aggregateSql(aggregate, scope), isMeasure: true },
  ])
  const columns = new Map([...groups, ...computedColumns])
  return { ...base, columns, shown: [...columns.keys()], isGrouped: true, groups: by, order: [] }
}

function aggregateSql(aggregate: Aggregate, scope: Scope): string {
  if (aggregate.kind === 'count') return 'COUNT(*)'
  const sql = expressionSql(aggregate.expression, scope)
  if (aggregate.with === undefined) return sql
  return METHODS[aggregate.with](sql)
}

const METHODS: Readonly<Record<Method, (sql: string) => string>> = {
  sum: (sql) => `SUM(${sql})`,
  min: (sql) => `MIN(${sql})`,
  max: (sql) => `MAX(${sql})`,
  average: (sql) => `AVG(${sql})`,
  countdistinct: (sql) => `COUNT(DISTINCT ${sql})`,
}

/** Nulls are the least of all values (Part 1, 11.2.6.2). */
export function ordered(relation: Relation, order: readonly Ordered[], place: Place): Relation {
  if (order.length === 0) return relation
  const base = isCut(relation) ? wrapped(relation) : relation
  const terms = order.map(({ expression, isDescending }) => {
    const sql = expressionSql(expression, { ...place, columns: base.columns })
    return `${sql} ${isDescending ? 'DESC NULLS LAST' : 'ASC NULLS FIRST'}`
  })
  return { ...base, order: terms }
}

export const skipped = (relation: Relation, rows: number): Relation => {
  if (rows === 0) return relation
  const base = relation.limit === undefined ? relation : wrapped(relation)
  return { ...base, offset: base.offset + rows }
}

export const limited = (relation: Relation, rows: number): Relation =>
  relation.limit !== undefined && relation.limit <= rows ? relation : { ...relation, limit: rows }

/** Only some columns of the answer. */
export function selected(relation: Relation, names: readonly string[] | undefined): Relation {
  if (names === undefined) return relation
  for (const name of names) columnNamed(name, relation.columns, '$select')
  return { ...relation, shown: names }
}

const isCut = ({ offset, limit }: Relation): boolean => offset > 0 || limit !== undefined

function wrapped(relation: Relation): Relation {
  const shown = shownOf(relation)
  const columns = shown.map((name): [string, Column] => {
    const { type, isMeasure } = columnNamed(name, relation.columns, '$apply')
    return [name, { sql: quoted(name), ...(type && { type }), ...(isMeasure && { isMeasure }) }]
  })
  return { ...NOTHING, from: `(${statementOf({ ...relation, shown })}) AS t`, columns: new Map(columns), shown }
}

/** The names of the answer's columns, in order. */
export const shownOf = ({ shown, columns }: Relation): readonly string[] => shown ?? [...columns.keys()]

/** The statement. Rows whose order the request leaves open are ordered by their groups, so that a page never repeats a row. */
export function statementOf(relation: Relation): string {
  const { from, where, having, groups, isDistinct, isGrouped, offset, limit } = relation
  const order = orderOf(relation)
  return [
    `SELECT ${isDistinct ? 'DISTINCT ' : ''}${itemsOf(relation)} FROM ${from}`,
    ...(where.length > 0 ? [`WHERE ${where.join(' AND ')}`] : []),
    ...(isGrouped && groups.length > 0 ? [`GROUP BY ${groupTerms(relation)}`] : []),
    ...(having.length > 0 ? [`HAVING ${having.join(' AND ')}`] : []),
    ...(order.length > 0 ? [`ORDER BY ${order.join(', ')}`] : []),
    ...(limit === undefined ? [] : [`LIMIT ${limit}`]),
    ...(offset > 0 ? [`OFFSET ${offset}`] : []),
  ].join(' ')
}

function itemsOf({ shown, added, columns }: Relation): string {
  const item = (name: string) => `${columns.get(name)!.sql} AS ${quoted(name)}`
  return shown === undefined ? ['*', ...added.map(item)].join(', ') : shown.map(item).join(', ')
}

const groupTerms = ({ groups, columns }: Relation): string => groups.map((name) => columns.get(name)!.sql).join(', ')

function orderOf({ order, shown, columns, isGrouped, groups }: Relation): readonly string[] {
  // All columns of a set are the rows of its fact, which the service orders itself.
  if (shown === undefined) return order
  const names = isGrouped ? groups : shown.filter((name) => columns.get(name)?.isMeasure !== true)
  const terms = names.map((name) => columns.get(name)!.sql).filter((sql) => !order.some((term) => term.startsWith(`${sql} `)))
  return [...order, ...terms.map((sql) => `${sql} ASC NULLS FIRST`)]
}
