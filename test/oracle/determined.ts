/** The order by a dimension that is not selected: selected ones must determine it. */
import { placeOf } from './bins.js'
import { GRAINS, lengthOf, truncate } from './calendar.js'
import { type Asked, addressOf, askedDimension, dimensionField } from './fields.js'
import { calendarGrain } from './fiscal.js'
import type { DimensionJson } from './model.js'
import { Refusal, refuse } from './refusal.js'
import { leastBy, valueIn } from './sorted.js'
import { keyOf, type Value } from './values.js'
import { columnOf, readColumn, type World } from './world.js'

/** Whether the text is a dimension of the model, and no measure or metric. */
export function isDimensionName(world: World, text: string): boolean {
  const { dimensions = {}, measures = {}, metrics = {} } = world.model
  return !(text in measures) && !(text in metrics) && (text in dimensions || nameOf(world, text) in dimensions)
}

const nameOf = (world: World, text: string): string => {
  const at = text.lastIndexOf(':')
  const grain = text.slice(at + 1)
  return at > 0 && (GRAINS.includes(grain) || calendarGrain(grain, world.calendars)) ? text.slice(0, at) : text
}

/** The sort keys of a row; NULL on totals of a dimension that determines them. */
type KeysOf = (tuple: readonly Value[], flags: readonly boolean[]) => readonly Value[]

/** Refuses a dimension that no selected one determines. */
export function determined(world: World, text: string, asked: readonly Asked[]): KeysOf {
  const wanted = wantedOf(world, text)
  const definition = world.model.dimensions![wanted.name]!
  return (
    byTime(world, wanted, definition, asked) ??
    byKey(world, wanted, definition, asked) ??
    bySort(world, wanted, definition, asked) ??
    refuse('ORDER_NOT_DETERMINED', text)
  )
}

/** Its own values may be refused, such as those of a measure that is a column; that nothing determines it is a further reason. */
function wantedOf(world: World, text: string): Asked {
  try {
    return askedDimension(world, text)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(error.code, error.message, [...error.codes, 'ORDER_NOT_DETERMINED'])
  }
}

const isPlain = (a: Asked): boolean => a.coalesced === undefined

/** The same column, as it is or in shorter periods. */
function byTime(world: World, wanted: Asked, { sortBy, bins }: DimensionJson, asked: readonly Asked[]): KeysOf | undefined {
  if (bins) return undefined
  const at = asked.findIndex(
    (a) =>
      isPlain(a) &&
      world.model.dimensions![a.name]!.bins === undefined &&
      addressOf(world, a.name) === addressOf(world, wanted.name) &&
      (a.grain === undefined || (wanted.grain !== undefined && isWithin(a.grain, wanted.grain))),
  )
  if (at < 0) return undefined
  const places = asked[at]!.grain === undefined && wanted.grain === undefined ? wanted.placesOf : undefined
  const ofSort = sortBy === undefined || wanted.grain !== undefined ? 0 : 1
  return (tuple, flags) => {
    const value = tuple[at]!
    if (flags[at] || value === null) return Array.from({ length: 1 + ofSort }, () => null)
    if (places) return places(value)
    return [wanted.grain === undefined ? value : truncate(wanted.grain, value, world)]
  }
}

/** Whether a shorter period is in one longer period. */
function isWithin(shorter: string, longer: string): boolean {
  if (shorter === longer) return true
  const calendar = (grain: string): string => (grain.includes('_') ? grain.replace(/_[a-z]+$/, '') : '')
  if (lengthOf(shorter) >= lengthOf(longer)) return false
  if (calendar(shorter) === '' && lengthOf(shorter) <= lengthOf('day')) return true
  return calendar(shorter) === calendar(longer) && (calendar(shorter) !== '' || shorter !== 'week')
}

/** Every column of a key of its object is selected in its role. */
function byKey(world: World, wanted: Asked, definition: DimensionJson, asked: readonly Asked[]): KeysOf | undefined {
  const { dataObject, via } = definition
  const { key } = world.things.get(dataObject)!
  const places = key.map((column) =>
    asked.findIndex((a) => {
      const own = isPlain(a) ? world.model.dimensions![a.name]! : undefined
      return (
        own && own.dataObject === dataObject && own.via === via && own.column === column && !own.bins && a.grain === undefined
      )
    }),
  )
  if (key.length === 0 || places.includes(-1)) return undefined
  return lookedUp(world, { wanted, definition, places }, (row) => key.map((column) => readColumn(world, dataObject, row, column)))
}

/** A selected dimension is ordered by its column. */
function bySort(world: World, wanted: Asked, definition: DimensionJson, asked: readonly Asked[]): KeysOf | undefined {
  const { dataObject, column, bins } = definition
  const at = asked.findIndex((a) => {
    const own = isPlain(a) ? world.model.dimensions![a.name]! : undefined
    return own && own.dataObject === dataObject && own.sortBy === column && !bins && a.grain === undefined
  })
  if (column === undefined || at < 0) return undefined
  const by = world.model.dimensions![asked[at]!.name]!
  columnOf(world, dataObject, column)
  return lookedUp(world, { wanted, definition, places: [at] }, (row) => [valueIn(world, by, row)])
}

interface LookedUp {
  readonly wanted: Asked
  readonly definition: DimensionJson
  /** The positions of the selected dimensions that determine it. */
  readonly places: readonly number[]
}

/** The least sort keys among the rows of the object with these values. */
function lookedUp(world: World, { wanted, definition, places }: LookedUp, keysOf: Parameters<typeof leastBy>[2]): KeysOf {
  const { dataObject, sortBy, bins, via: _, ...rest } = definition
  const field = dimensionField(world, { ...rest, dataObject, ...(bins && { bins }) }, wanted.grain)
  const columns = [
    ...(sortBy !== undefined && wanted.grain === undefined
      ? [leastBy(world, dataObject, keysOf, (row) => readColumn(world, dataObject, row, sortBy))]
      : []),
    leastBy(world, dataObject, keysOf, (row) => field.value([row])),
  ]
  return (tuple, flags) => {
    const values = places.map((at): Value => tuple[at]!)
    const isKnown = places.every((at) => !flags[at]) && !values.includes(null)
    return columns.map((least, i) => {
      const value = isKnown ? (least.get(values.map(keyOf).join(' ')) ?? null) : null
      return i < columns.length - 1 ? value : placeOf(value, bins)
    })
  }
}
