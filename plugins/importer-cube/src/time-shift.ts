/** The shift of a measure of several stages → a comparison with another period. */
import { type Entry, LeftOut, type Part } from '@grainline/importer-dbt/foreign'
import { isOn, keyIn } from './keys.js'

/** Other things that stages do. */
const MORE = ['group_by', 'reduce_by', 'add_group_by', 'grain', 'filter', 'filters', 'rolling_window', 'order_by', 'case']
const HINT = 'Write it by hand: a grain, a filter context, an aggregate of aggregates or a comparison of periods.'

/** The offset of a measure that does nothing but shift, and the time that it names. Undefined for a measure of one stage. */
export function shiftOf(part: Part): { readonly offset: Entry; readonly time: string | undefined } | undefined {
  const [shift, other] = part.parts(keyIn(part, 'time_shift'))
  const isStaged = isOn(part, 'multi_stage')
  if (!shift && !isStaged) return undefined
  if (!isStaged)
    throw new LeftOut('its time_shift needs multi_stage', part.at(keyIn(part, 'time_shift')), 'Write multi_stage: true.')
  const more = MORE.map((key) => keyIn(part, key)).find((key) => part.has(key))
  if (!shift || other || more !== undefined || part.text('type') !== 'number')
    throw new LeftOut(
      'a measure of several stages has no place in this import',
      part.at(more ?? keyIn(part, shift ? 'time_shift' : 'multi_stage')),
      HINT,
    )
  const interval = shift.text('interval') ?? ''
  const [, count, offsetGrain] = /^\s*(\d{1,6})\s+(second|minute|hour|day|week|month|quarter|year)s?\s*$/.exec(interval) ?? []
  const type = shift.text('type')
  if (count === undefined || Number(count) === 0 || (type !== 'prior' && type !== 'next'))
    throw new LeftOut('its time_shift is no interval before or after', shift.place, HINT)
  return {
    offset: { offset: Number(count) * (type === 'prior' ? -1 : 1), offsetGrain },
    time: shift.text(keyIn(shift, 'time_dimension')),
  }
}
