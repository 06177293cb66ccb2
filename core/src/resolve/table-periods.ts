/** Numbers of the periods that only a table of days knows: columns of the model that resolves a query (decision 482). */
import { type CalendarPeriod, isOwn, LONGER_PERIODS, PLACES, type PlaceNumbers } from '../model/calendar-table.js'
import { DATE, type DataType, INT } from '../model/data-type.js'
import type { ColumnRef, Expr } from '../model/expression/ast.js'
import type { Column, DataObject, ModelCondition, SemanticModel, WindowSource } from '../model/semantic-model.js'
import { freeName } from './aliases.js'
import { binary, call, integer, literal, text } from './expressions.js'

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
  const ofGrains = new Map<number, Numbered>()
  for (const own of new Set(ranks)) {
    const name = namedBy(own, calendar.periods)
    const column = name === undefined ? undefined : columns.get(name)
    if (!column || column.type.kind === 'json') continue
    const made = numberOf(column, object, columns)
    for (const one of made) columns.set(one.name, one)
    numbers.set(own, made.at(-1)!.name)
    ofGrains.set(own, { named: column, number: made.at(-2)!.name })
  }
  if (numbers.size === 0) return undefined
  const places = placesIn(object, columns, ofGrains)
  const made = [...numbers, ...places.map(({ own, column }) => [own, column] as const)]
  const periods = new Map([
    ...calendar.periods,
    ...made.map(([own, name]): [string, CalendarPeriod] => [name, { grain: { own }, of: undefined }]),
  ])
  return { ...object, columns, calendar: { ...calendar, periods, numbers, places } }
}

/** The column that names the periods of a grain, and the column with their numbers. */
interface Numbered {
  readonly named: Column
  readonly number: string
}

/** For each two grains of the table: a column that numbers the shorter periods by their places in the longer ones, if columns say these. */
function placesIn(
  object: DataObject,
  columns: Map<string, Column>,
  numbers: ReadonlyMap<number, Numbered>,
): readonly PlaceNumbers[] {
  const grains = [...numbers].toSorted(([a], [b]) => a - b)
  return grains.flatMap(([own, shorter]) =>
    grains.flatMap(([longer, of]): readonly PlaceNumbers[] => {
      const said = own < longer ? placeColumns(own, longer, object.calendar!.periods) : undefined
      if (!said || said.some((name) => columns.get(name)?.type.kind === 'json')) return []
      const made = placeOf({ shorter: shorter.named, longer: of, said }, object, columns)
      for (const one of made) columns.set(one.name, one)
      return [{ own, longer, column: made.at(-1)!.name }]
    }),
  )
}

/** The fewest columns of which each says the place of a period in a longer one, from a grain of the table to a longer one. `undefined` if none do. */
export function placeColumns(
  own: number,
  longer: number,
  periods: ReadonlyMap<string, CalendarPeriod>,
): readonly string[] | undefined {
  let ways: readonly { readonly at: number; readonly by: readonly string[] }[] = [{ at: own, by: [] }]
  const seen = new Set([own])
  while (ways.length > 0) {
    const further = ways.flatMap(({ at, by }) =>
      [...periods].flatMap(([name, { grain, of }]) => {
        if (!isOwn(grain) || grain.own !== at || of === undefined || !isOwn(of) || seen.has(of.own)) return []
        seen.add(of.own)
        return [{ at: of.own, by: [...by, name] }]
      }),
    )
    const found = further.find(({ at }) => at === longer)
    if (found) return found.by
    ways = further
  }
  return undefined
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

interface Place {
  readonly shorter: Column
  readonly longer: Numbered
  /** The columns that say the place. */
  readonly said: readonly string[]
}

/**
 * The rank of the place of the period of each day among all places, and a date: `PLACES` days for each longer period, and one day for each place in it. So
 * a period and the one that has its place in another longer period are whole multiples of `PLACES` days apart.
 */
function placeOf({ shorter, longer, said }: Place, object: DataObject, taken: ReadonlyMap<string, Column>): readonly Column[] {
  const at = (column: string): ColumnRef => ({ kind: 'column', object: object.name, column })
  const names = ['place', 'period'].map((what) =>
    freeName(`${what} of ${shorter.name} in ${longer.named.name}`, [...taken.values()]),
  )
  const [place = '', period = ''] = names
  const path = `dataObjects.${object.name}.calendar.periods`
  const filters = said.map(
    (name): ModelCondition => ({ kind: 'leaf', column: at(name), operator: 'is_not_null', values: [], path }),
  )
  const rank: WindowSource = {
    ...{ kind: 'window', function: 'dense_rank', column: undefined, descending: false, offset: 1, filters },
    ...{ partitionBy: [], orderBy: said.map(at) },
  }
  const isBelow = (column: string, count: number): Expr<ColumnRef> => binary('<', at(column), integer(count))
  const days = binary<ColumnRef>('+', binary('*', at(longer.number), integer(PLACES)), at(place))
  const expression = call<ColumnRef>('date_add', text('day'), days, literal('2000-01-01', DATE))
  const known: Expr<ColumnRef> = {
    kind: 'case',
    branches: [{ when: binary('and', isBelow(place, PLACES), isBelow(longer.number, LONGER_PERIODS)), then: expression }],
    otherwise: undefined,
  }
  return [hidden(place, rank, INT), hidden(period, { kind: 'expression', expression: known }, DATE)]
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
