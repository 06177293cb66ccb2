import { fail, within } from '../errors.js'
import { firstOf } from '../invariant.js'
import { DATE } from '../model/data-type.js'
import { mapLeaves } from '../model/expression/ast.js'
import { madeOf } from '../relation/relation.js'
import { anyOf, TRUE } from '../resolve/expressions.js'
import type { RelationColumn, RowExpr } from '../resolve/relation-column.js'
import { type Conversion, columnOf, objectOf, type ResolvedAggregate } from '../resolve/resolved-query.js'
import { isSame, unlike } from '../same.js'
import type { BindContext } from './bind-context.js'
import { blockConditions } from './block-conditions.js'
import type { BlockRequest, RollupRead } from './block-request.js'
import { inTimes } from './block-request.js'
import { boundAggregate } from './bound-aggregate.js'
import type { BoundAggregate, BoundBlock, BoundEvents, BoundFact, Condition, NamedExpr } from './bound-block.js'
import { boundFrom } from './bound-from.js'
import { type ConnectedRows, connectedRows } from './connected-rows.js'
import { type Converting, converts } from './conversion.js'
import type { Facts } from './facts.js'
import { meetsOnce } from './meets-once.js'
import { readDimension } from './read-connected.js'
import { readColumn } from './read-rows.js'
import type { Rows } from './rows.js'
import { readShown } from './shown-rows.js'

/** The request for the rows behind a block. */
export interface RowsWanted {
  /** Conditions over the columns of its dimensions. */
  readonly only: readonly RowExpr[]
  /** More columns of each row; `distinct` removes equal rows. */
  readonly beside: (base: Rows, distinct: boolean) => readonly NamedExpr[]
}

const EVERY_ROW: RowsWanted = { only: [], beside: () => [] }

/**
 * One scan of the base, its forward joins, its filters, one aggregation. A block reads only its own fact, so nothing else in a
 * query can change its values. Throws `NO_JOIN_PATH`, `AMBIGUOUS_JOIN`, `KEY_REQUIRED`.
 */
export function bindBlock(request: BlockRequest, context: BindContext, wanted = EVERY_ROW): BoundBlock {
  if (request.rollup) return bindBlock(request.rollup.request, contextOfTable(request.rollup, context), wanted)
  if (!request.semiAdditive) return blockOver(request, rowsOfBlock(request, context), wanted)
  const timed = inTimes(request, request.semiAdditive)
  return { ...blockOver(timed, rowsOfBlock(timed, context), wanted), ...endOf(request) }
}

/** The columns of a table are stored as they are declared. */
const contextOfTable = ({ model, base }: RollupRead, context: BindContext): BindContext => ({
  ...context,
  model,
  storedAs: (object, column) => (object === base ? undefined : context.storedAs(object, column)),
})

/** The final step for the rows of a block. */
export const endOf = ({
  dimensions,
  semiAdditive,
  aggregates,
}: BlockRequest): Pick<BoundBlock, 'dimensions' | 'semiAdditive' | 'values'> => ({
  dimensions,
  semiAdditive,
  values: aggregates.map(({ name, type, emptyIsZero, isElsewhere }) => ({
    name,
    type,
    emptyIsZero: !isElsewhere && emptyIsZero,
  })),
})

/** The rows of a block: those of the base with its connections, or the rows at which several facts are joined. */
function rowsOfBlock(request: BlockRequest, context: BindContext): ConnectedRows {
  const { aggregates, dimensions, multiFact } = request
  return within(aggregates[0]?.path ?? dimensions[0]?.path ?? '', () => {
    const facts = multiFact && factsOf(request.base, multiFact, context)
    return connectedRows(context, { facts, ...request })
  })
}

function factsOf(base: string, multiFact: NonNullable<BlockRequest['multiFact']>, context: BindContext): Facts {
  const { keys, dimensions } = multiFact
  return { alias: madeOf(base, '_facts', [base]), keys, dimensions, legs: factLegs(multiFact, context) }
}

/** The facts of a block, each aggregated by the key of the base and the dimensions that the facts provide. */
export const factLegs = ({ own, facts, dimensions }: NonNullable<BlockRequest['multiFact']>, context: BindContext): BoundFact[] =>
  [...(dimensions.length === 0 ? [own] : []), ...facts].map((request) => {
    const alias = madeOf(request.base, request.aggregates.length > 0 ? '_sums' : '_keys', [request.base])
    return { alias, block: bindBlock(request, context) }
  })

/** A block over given rows. */
export function blockOver(request: BlockRequest, connected: ConnectedRows, wanted = EVERY_ROW): BoundBlock {
  const { base, aggregates, dimensions } = request
  const groups = dimensions.map((d) => within(d.path, () => readDimension(connected, d)))
  const inputs = aggregates.map((aggregate) => within(aggregate.path, () => inputOf(aggregate, request, connected)))
  const narrowing = request.ofAllRows ? undefined : rowsOfAnyMeasure(inputs)
  const conditions = blockConditions(request, narrowing, connected)
  const shown = readShown(connected, request.conjuncts)
  const distinct = isDistinct(request, connected)
  const key = distinct ? keyOf(request, connected.base) : undefined
  const onceBy = aggregates.length > 0 && meetsOnce(connected, groups) ? undefined : key
  const beside = wanted.beside(connected.base, distinct)
  const { from, groupBy, where, weight } = boundFrom(connected, {
    groups,
    values: inputs.flatMap(readsOfInput),
    conditions,
    shown,
    beside: [...(onceBy ?? []), ...beside].map(({ expression }) => expression),
    converted: inputs.flatMap(({ converting }) => converting?.join ?? []),
  })
  return {
    base,
    from,
    where: [...where, ...conditionsOnGroups(wanted.only, groupBy)],
    groupBy,
    aggregates: asConditions(inputs, narrowing, aggregates),
    onceBy,
    weight,
    beside,
    reason: blockReason(request),
    ...endOf(request),
  }
}

interface Input {
  readonly aggregate: BoundAggregate
  readonly converting: Converting | undefined
  /** The rows with which it has a value; all if absent. */
  readonly rows: RowExpr | undefined
}

function inputOf(aggregate: ResolvedAggregate, request: BlockRequest, { base }: ConnectedRows): Input {
  const converting = convertingRows(aggregate, request, base)
  const bound = boundAggregate(aggregate, request, base, converting?.condition)
  // A count of another period is NULL without events, and 0 if none of them converts.
  const events = bound.onlyWith === TRUE ? undefined : bound.onlyWith
  return { aggregate: bound, converting, rows: converting && aggregate.isElsewhere ? events : bound.filter }
}

const readsOfInput = ({ aggregate: { args, orderBy, filter }, converting }: Input): readonly RowExpr[] => [
  ...(converting ? [converting.condition] : []),
  ...[...args, ...orderBy].map(({ expression }) => expression),
  ...(filter ? [filter] : []),
]

/** The rows that convert, if the aggregate counts only these. */
function convertingRows(
  { name, converts: conversion }: ResolvedAggregate,
  { conversions }: BlockRequest,
  base: Rows,
): Converting | undefined {
  const requests = conversions?.get(name)
  if (!requests || !conversion) return undefined
  const events = (request: BlockRequest, which: string): BoundEvents => ({
    alias: madeOf(request.base, '_events', [which]),
    block: bindBlock(request, base.context),
  })
  const { inOrder } = conversion
  const later = requests.later.map((request, i) => events(request, inOrder ? `step ${i + 2}` : 'conversion'))
  // The steps of a funnel are looked up once for all values that need them.
  const of = inOrder ? identityOf(conversion) : name
  return converts(base, { ...conversion, of }, events(requests.base, 'base'), later)
}

const identityOf = ({ base, later, unit, count }: Conversion): string =>
  JSON.stringify([[base, ...later].map(({ measure, dimensions }) => [measure.name, dimensions.map((d) => d.name)]), unit, count])

/** Whether rows of the joins are made distinct by the key of the base: a join multiplies them, and they have no weights. */
function isDistinct(request: BlockRequest, connected: ConnectedRows): boolean {
  if (connected.bridges.length === 0 || request.fanOut) return false
  if (request.bridges.size > 1 || (request.weights ?? []).length === 0) return true
  if (objectOf(connected.base.context.model, request.base).key.length === 0) refuseKeyless(request)
  return false
}

function keyOf(request: BlockRequest, base: Rows): readonly NamedExpr[] {
  if (request.aggregates.length === 0) return []
  const { model } = base.context
  const object = objectOf(model, request.base)
  if (object.key.length === 0) refuseKeyless(request)
  const key = object.key.map((name, i) => ({
    name: `key_${i + 1}`,
    expression: readColumn(base, base.root, name),
    type: columnOf(model, { kind: 'column', object: object.name, column: name }).type,
  }))
  return base.days ? [...key, { name: `key_${key.length + 1}`, expression: base.days.day, type: DATE }] : key
}

/**
 * The filter of the only measure is a condition of the block. A count of another period is NULL if it has no rows. The plan must state that if rows that
 * other measures count create groups.
 */
function asConditions(
  all: readonly Input[],
  narrowing: RowExpr | undefined,
  aggregates: readonly ResolvedAggregate[],
): readonly BoundAggregate[] {
  const inputs = all.map((input) => input.aggregate)
  if (!narrowing || unlike(aggregates.map((a) => a.filters)).length > 1) return inputs
  // Without groups there is a row in any case.
  const hasNoGroup = aggregates.every(({ shift, dimensions }) => shift === undefined && dimensions.length === 0)
  return inputs.map(({ onlyWith, ...input }) => ({
    ...input,
    ...(inputs.length === 1 && isSame(input.filter, narrowing) && { filter: undefined }),
    ...(onlyWith && hasNoGroup && { onlyWith: inputs.length === 1 ? TRUE : onlyWith }),
  }))
}

/** If every measure of the block is filtered, only rows that one of them counts create groups. */
function rowsOfAnyMeasure(inputs: readonly Input[]): RowExpr | undefined {
  const filters = inputs.flatMap((input) => input.rows ?? [])
  if (filters.length === 0 || filters.length < inputs.length) return undefined
  return anyOf(unlike(filters))
}

/** Conditions over the columns of groups, on the rows before they are grouped. */
function conditionsOnGroups(conditions: readonly RowExpr[], groups: readonly NamedExpr[]): Condition[] {
  const read = (condition: RowExpr): RowExpr =>
    mapLeaves<RelationColumn, RelationColumn>(condition, (leaf) => groups.find((k) => k.name === leaf.name)?.expression ?? leaf)
  return conditions.map((condition) => ({ expression: read(condition), reason: 'the cell of the request' }))
}

function refuseKeyless({ base, aggregates, dimensions, conjuncts }: BlockRequest): never {
  const { measure, path } = firstOf(aggregates)
  const through =
    dimensions.length > 0
      ? `'${firstOf(dimensions).label}'`
      : `a filter on ${conjuncts
          .flatMap((c) => c.fields)
          .map((f) => `'${f}'`)
          .join(', ')}`
  return fail(
    'KEY_REQUIRED',
    `'${measure.name}' is cut by ${through}, of which a row of '${base}' can have several; mark the key of '${base}' with primaryKey, so that each row counts once`,
    { path, context: { dataObject: base } },
  )
}

function blockReason({ base, aggregates }: BlockRequest): string {
  if (aggregates.length === 0) return `the tuples at '${base}'`
  return `${aggregates.map((a) => `'${a.measure.name}'`).join(', ')} at the rows of '${base}'`
}
