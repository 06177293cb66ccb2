/** The model's own filters, which no query can remove. */

import type { Json, StaticFilterJson } from './model.js'
import { testOfFilter } from './operators.js'
import type { Tri } from './values.js'
import { checkPaths, columnOf, type Row, readColumn, type World } from './world.js'

export interface StaticCondition {
  readonly on: string
  readonly holds: (row: Row | null) => Tri
}

export function staticConditionsOf(world: World): readonly StaticCondition[] {
  return (world.model.filters ?? []).map((filter) => staticCondition(world, filter))
}

/** Whether a query is refused does not depend on the rows to which they apply. */
export function checkStaticFilters(world: World, applies: (object: string) => boolean): void {
  for (const { dataObject, column } of world.model.filters ?? [])
    if (applies(dataObject)) checkPaths(world, dataObject, { kind: 'ref', parts: [column] })
}

function staticCondition(world: World, filter: StaticFilterJson): StaticCondition {
  const value = filterValue(filter)
  const written = { op: filter.operator, ...(value !== undefined && { value }), orMissing: filter.orMissing === true }
  const test = testOfFilter(written, columnOf(world, filter.dataObject, filter.column).kind, { now: undefined, reckoning: world })
  return { on: filter.dataObject, holds: (row) => test(readColumn(world, filter.dataObject, row, filter.column)) }
}

/** A list only if the operator takes one. */
function filterValue(filter: StaticFilterJson): Json | undefined {
  if (filter.values === undefined) return filter.value
  return isListOperator(filter.operator) ? filter.values : filter.values[0]
}

export const isListOperator = (operator: string): boolean =>
  ['in', 'inlist', 'not_in', 'notinlist', 'between', 'notbetween', 'not_between'].includes(operator)
