/** Which times a period can be equal to. */
import { parseDay, parseMoment, startOfDay, truncate } from './calendar.js'
import type { FilterJson, Json } from './model.js'
import { canonical } from './operators.js'
import { refuse } from './refusal.js'
import { compareShown, Day, Moment } from './values.js'
import type { World } from './world.js'

/** Refuses an equality of periods with a time at which none of them begins. */
export function checkStarts(world: World, grain: string, { op, value }: { readonly op: string; readonly value?: Json }): void {
  if (!['eq', 'neq', 'in', 'not_in'].includes(canonical(op))) return
  for (const text of [value].flat()) if (typeof text === 'string') checkStart(world, grain, text)
}

/** The same in every condition of a filter, whether or not any measure sees it: values are read before ways. */
export function checkStartsIn(world: World, filter: FilterJson): void {
  if ('logic' in filter) {
    for (const f of filter.filters) checkStartsIn(world, f)
    return
  }
  const grain = world.model.dimensions?.[filter.field]?.timeGrain
  if (grain !== undefined) checkStarts(world, grain, filter)
  for (const f of filter.subquery?.filter ?? []) checkStartsIn(world, f)
}

/** A day contains the starts of its hours. */
function checkStart(world: World, grain: string, text: string): void {
  const day = parseDay(text)
  const moment = day ? startOfDay(day) : parseMoment(text)
  if (!moment || (day && ['second', 'minute', 'hour'].includes(grain))) return
  const start = truncate(grain, moment, world)
  const begins = start instanceof Day ? startOfDay(start) : start
  if (begins instanceof Moment && compareShown(begins, moment) !== 0) refuse('INVALID_PERIOD', `no ${grain} begins at ${text}`)
}
