import { fail } from '../errors.js'
import type { FilterValue } from '../model/semantic-model.js'
import { type AggregateRequest, resolveAggregate, resolveShown } from './aggregate.js'
import { condition } from './conditions.js'
import { unknownName } from './lookup.js'
import { namedColumns } from './named-column.js'
import { type RowExpr, relationColumn } from './relation-column.js'
import type { BehindQuery, CellView, ResolvedDimension } from './resolved-query.js'
import { isOfShown, shownCondition } from './shown-tuples.js'

/**
 * The rows of one cell: the level of the query that contains the cell, and its values of the dimensions. Order, having and gaps choose
 * among rows of the answer, so they do not affect the rows of one cell. Throws `UNKNOWN_DIMENSION`, `INVALID_QUERY`,
 * `INVALID_FILTER_VALUE`, `RAW_FIELD_UNKNOWN_COLUMN`.
 */
export function resolveBehind({ cell, shows, columns }: CellView, request: AggregateRequest): BehindQuery {
  const { query, dimensions } = request
  const named = (name: string): ResolvedDimension => dimensions.find((d) => d.label === name) ?? refuseUnknown(name, dimensions)
  const kept = Object.keys(cell).map(named)
  const summed = dimensions.find((d) => !kept.includes(d))
  if (summed && !query.grouping) refuseUnnamed(summed.label)
  const shownBy = dimensions.filter((d) => kept.includes(d))
  const shown = isOfShown(query.grouping) ? resolveShown(request, [shownBy]) : undefined
  const ofShown = shown ? [shownCondition(dimensions, request.calendarTimes(dimensions))] : []
  const base = { ...request.base, where: [...request.base.where, ...ofShown] }
  const level = resolveAggregate({
    ...request,
    base,
    query: { ...query, having: [], order_by: [] },
    dimensions: shownBy,
    selected: dimensions,
    fill: undefined,
  })
  const { time } = request.context
  return {
    kind: 'behind',
    ...base,
    order: [],
    level,
    cell: level.dimensions.map((dimension) => ({ dimension, condition: isValue(dimension, cell[dimension.label]!, time) })),
    shows,
    ...(columns && { columns: namedColumns(columns, request.context.model, 'columns') }),
    ...(shown && { shown }),
  }
}

/** A period is already in the zone of the query. */
function isValue(
  { name, label, type, grain }: ResolvedDimension,
  value: FilterValue,
  time: AggregateRequest['context']['time'],
): RowExpr {
  const operator = value === null ? 'is_null' : 'eq'
  const clocks = grain ? { ...time, naiveZone: undefined } : time
  const subject = { expression: relationColumn('', name, type), type, grain: undefined, name: label }
  return condition(subject, { operator, values: value === null ? [] : [value], path: `cell.${label}` }, clocks)
}

function refuseUnknown(name: string, dimensions: readonly ResolvedDimension[]): never {
  const labels = dimensions.map((d) => d.label)
  return unknownName('UNKNOWN_DIMENSION', { name, what: 'not a dimension that the query selects', known: labels }, `cell.${name}`)
}

const refuseUnnamed = (label: string): never =>
  fail(
    'INVALID_QUERY',
    `the cell gives no value for '${label}', by which the query groups; null is the group of rows without one. Only a cell of a query with subtotals may leave a dimension out`,
    { path: 'cell' },
  )
