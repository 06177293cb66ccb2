import { isOwn } from '../calendar-table.js'
import type { ColumnRef } from '../expression/ast.js'
import type { DataObject, Dimension } from '../semantic-model.js'
import type { Context } from './context.js'

/** The column of a table of days whose periods an offset counts: of the calendar of the time, if several have a column of this name. `undefined` if it names a grain. */
export function offsetPeriods(
  name: string | undefined,
  time: Dimension | undefined,
  { grains, objects }: Pick<Context, 'grains' | 'objects'>,
): ColumnRef | undefined {
  if (name === undefined || grains.has(name)) return undefined
  const found = [...objects.values()].flatMap(({ object }) => (object && namesOwn(object, name) ? [object.name] : []))
  const around = time && [time.dataObject, ...(objects.get(time.dataObject)?.object?.joins ?? []).map(({ to }) => to)]
  const object = around?.find((one) => found.includes(one)) ?? found[0]
  return object === undefined ? undefined : { kind: 'column', object, column: name }
}

/** Whether a column names whole periods of a grain of its table. */
function namesOwn({ calendar }: DataObject, column: string): boolean {
  const period = calendar?.periods.get(column)
  return period !== undefined && period.of === undefined && isOwn(period.grain)
}
