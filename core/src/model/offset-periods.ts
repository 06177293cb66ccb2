import { isOwn } from './calendar-table.js'
import type { ColumnRef } from './expression/ast.js'
import type { DataObject, Dimension } from './semantic-model.js'

/** The column of a table of days whose periods an offset counts: of the calendar of the time, if several have a column of this name. `undefined` if no table has such a column. */
export function offsetPeriods(name: string, time: Dimension | undefined, objects: readonly DataObject[]): ColumnRef | undefined {
  const found = objects.filter((object) => namesOwn(object, name)).map((object) => object.name)
  const joins = objects.find((object) => object.name === time?.dataObject)?.joins ?? []
  const around = time && [time.dataObject, ...joins.map(({ to }) => to)]
  const object = around?.find((one) => found.includes(one)) ?? found[0]
  return object === undefined ? undefined : { kind: 'column', object, column: name }
}

/** The columns that name whole periods of a grain of their table. */
export const namesOfPeriods = (objects: readonly DataObject[]): readonly string[] =>
  objects.flatMap((object) => [...(object.calendar?.periods.keys() ?? [])].filter((name) => namesOwn(object, name)))

function namesOwn({ calendar }: DataObject, column: string): boolean {
  const period = calendar?.periods.get(column)
  return period !== undefined && period.of === undefined && isOwn(period.grain)
}
