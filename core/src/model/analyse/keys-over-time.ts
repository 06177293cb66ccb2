import { isInDefaultZone } from '../data-type.js'
import type { ColumnRef, Expr } from '../expression/ast.js'
import { isInner, leavesOf } from '../expression/ast.js'
import { isKeyColumnOf } from '../key-columns.js'
import type { DataObject } from '../semantic-model.js'
import type { Context } from './context.js'

/** Warns of keys that are computed from instants: they are read by the clocks of the data, in every query. */
export function* warnOfKeysOverTime(
  dataObjects: ReadonlyMap<string, DataObject>,
  zone: string | undefined,
  { faults }: Pick<Context, 'faults'>,
): Generator<undefined> {
  for (const [object, { columns }] of dataObjects) {
    yield
    for (const [name, { source }] of columns) {
      if (source.kind !== 'expression' || !isKeyColumnOf(dataObjects, object, name)) continue
      if (!readsInstants(source.expression, dataObjects)) continue
      const clocks = zone === undefined ? 'UTC' : `${zone} (defaultTimezone)`
      const message = `'${object}.${name}' is computed from an instant and is part of a key or a join, so it is read in ${clocks} in every query and does not follow the zone of the query`
      faults.warn('KEY_OVER_INSTANT', ['dataObjects', object, 'columns', name, 'expression'], message)
    }
  }
}

/** Whether a value depends on the zone in which instants are read. */
function readsInstants(expression: Expr<ColumnRef>, dataObjects: ReadonlyMap<string, DataObject>): boolean {
  const isComputed = isInner<ColumnRef>(expression)
  return leavesOf<ColumnRef>(expression).some(({ object, column }) => {
    const found = dataObjects.get(object)?.columns.get(column)
    if (!found) return false
    if (isComputed && (found.type.kind === 'timestamp_tz' || isInDefaultZone(found.type))) return true
    return found.source.kind === 'expression' && readsInstants(found.source.expression, dataObjects)
  })
}
