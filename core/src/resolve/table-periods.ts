/** Numbers of the periods that only a table of days knows: columns of the model that resolves a query (decision 482). */
import { type CalendarPeriod, isOwn } from '../model/calendar-table.js'
import { DATE, type DataType, INT } from '../model/data-type.js'
import type { ColumnRef } from '../model/expression/ast.js'
import type { Column, DataObject, ModelCondition, SemanticModel, WindowSource } from '../model/semantic-model.js'
import { freeName } from './aliases.js'
import { call, literal, text } from './expressions.js'

const known = new WeakMap<SemanticModel, SemanticModel>()

/** The model with a number for the periods of each grain of a table of days; the same one if no table has such grains. One for each model, because what is found about a model is kept by it. */
export function withPeriodNumbers(model: SemanticModel): SemanticModel {
  const found = known.get(model)
  if (found) return found
  const numbered = [...model.dataObjects.values()].flatMap((object) => numberedObject(object) ?? [])
  const made =
    numbered.length === 0
      ? model
      : { ...model, dataObjects: new Map([...model.dataObjects, ...numbered.map((one) => [one.name, one] as const)]) }
  known.set(model, made)
  known.set(made, made)
  return made
}

/** The first column that names the periods of a grain of the table tells which they are. */
export function namedBy(own: number, periods: ReadonlyMap<string, CalendarPeriod>): string | undefined {
  return [...periods].find(([, { grain, of }]) => of === undefined && isOwn(grain) && grain.own === own)?.[0]
}

/** Without a key, a row of the table has no value of a window. */
function numberedObject(object: DataObject): DataObject | undefined {
  const { calendar, key } = object
  if (!calendar || calendar.generated || key.length === 0) return undefined
  const ranks = [...calendar.periods.values()].flatMap(({ grain }) => (isOwn(grain) ? [grain.own] : []))
  const columns = new Map(object.columns)
  const numbers = new Map<number, string>()
  for (const own of new Set(ranks)) {
    const name = namedBy(own, calendar.periods)
    const column = name === undefined ? undefined : columns.get(name)
    if (!column || column.type.kind === 'json') continue
    const made = numberOf(column, object, columns)
    for (const one of made) columns.set(one.name, one)
    numbers.set(own, made.at(-1)!.name)
  }
  if (numbers.size === 0) return undefined
  const periods = new Map([
    ...calendar.periods,
    ...[...numbers].map(([own, name]): [string, CalendarPeriod] => [name, { grain: { own }, of: undefined }]),
  ])
  return { ...object, columns, calendar: { ...calendar, periods, numbers } }
}

/**
 * The first day of the period of each day, the place of that day among all first days, and this number as a date: one day for each period, so that
 * arithmetic with days counts periods.
 */
function numberOf(named: Column, object: DataObject, taken: ReadonlyMap<string, Column>): readonly Column[] {
  const at = (column: string): ColumnRef => ({ kind: 'column', object: object.name, column })
  const names = ['first day', 'number', 'period'].map((what) => freeName(`${what} of ${named.name}`, [...taken.values()]))
  const [first = '', number = '', period = ''] = names
  const isNamed: ModelCondition = {
    kind: 'leaf',
    column: at(named.name),
    // A boolean names its period by true.
    ...(named.type.kind === 'boolean' ? { operator: 'eq', values: [true] } : { operator: 'is_not_null', values: [] }),
    path: `dataObjects.${object.name}.calendar.periods`,
  }
  const window = { kind: 'window', descending: false, offset: 1, filters: [isNamed] } as const
  const day = at(object.calendar!.key)
  const firstDay: WindowSource = {
    ...window,
    ...{ function: 'first_value', column: day, partitionBy: [at(named.name)], orderBy: [day] },
  }
  const place: WindowSource = { ...window, function: 'dense_rank', column: undefined, partitionBy: [], orderBy: [at(first)] }
  const expression = call<ColumnRef>('date_add', text('day'), at(number), literal('2000-01-01', DATE))
  return [hidden(first, firstDay, DATE), hidden(number, place, INT), hidden(period, { kind: 'expression', expression }, DATE)]
}

const hidden = (name: string, source: Column['source'], type: DataType): Column => ({
  name,
  source,
  type,
  isTyped: true,
  abstractType: type.kind,
  sqlType: undefined,
  numClass: undefined,
  primaryKey: false,
  comment: undefined,
  ...{ description: undefined, owner: undefined, synonyms: [] },
})
