/** Facts whose data have one value for a period, such as budgets by month. */
import type { ColumnJson, ModelJson, ObjectJson } from '../model.js'
import type { Random } from './random.js'

const GRAINS = ['week', 'month', 'month', 'month', 'quarter', 'year']

/** The model with coarse data along some dates: sums are mostly divided among the days. */
export function withCoarse(random: Random, model: ModelJson): ModelJson {
  const times = Object.entries(model.dataObjects).flatMap(([object, { columns, nestedIn, calendar }]) =>
    nestedIn || calendar
      ? []
      : Object.entries(columns).flatMap(([column, c]) =>
          isDate(columns, column, c) && !isRead(model, object, column) ? [{ object, column }] : [],
        ),
  )
  const chosen = random.some(times, random.pick([1, 1, 2]))
  const dataObjects = { ...model.dataObjects }
  for (const { object, column } of chosen) dataObjects[object] = coarseObject(random, dataObjects[object]!, column, model)
  return { ...model, dataObjects }
}

function coarseObject(random: Random, object: ObjectJson, column: string, { dataObjects }: ModelJson): ObjectJson {
  const isDivided = random.chance(0.65) && !Object.values(object.columns).some((c) => c.spread)
  const says = { granularity: random.pick(GRAINS), ...(isDivided && { spread: 'even' as const }) }
  const at = (object.joins ?? []).findIndex((j) => dataObjects[j.joinTo]!.calendar && j.columnsFrom.join() === column)
  if (at >= 0 && random.chance(0.5))
    return { ...object, joins: object.joins!.map((join, i) => (i === at ? { ...join, ...says } : join)) }
  return { ...object, columns: { ...object.columns, [column]: { ...object.columns[column]!, ...says } } }
}

/** Whether a dimension is computed from the column. */
const isRead = ({ dimensions = {} }: ModelJson, object: string, column: string): boolean =>
  Object.values(dimensions).some(
    ({ expression = '' }) => expression.includes(`{${column}}`) || expression.includes(`{[${object}].[${column}]}`),
  )

/** A stored date that no other column is computed from. */
const isDate = (columns: ObjectJson['columns'], name: string, { abstractType, code, sqlType }: ColumnJson): boolean =>
  abstractType === 'date' &&
  code !== undefined &&
  sqlType === undefined &&
  !Object.values(columns).some(({ expression }) => expression?.includes(`{${name}}`))
