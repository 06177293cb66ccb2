/** Calendars of a model, and their grains in place of others. */
import type { CalendarJson } from '../fiscal.js'
import type { LeafJson, MetricJson, ModelJson, QueryJson, WrittenJson } from '../model.js'
import type { Random } from './random.js'

const UNITS = ['week', 'month', 'quarter', 'year']
/** A grain of a calendar, for any place in a model or a query. */
export const CALENDAR_GRAIN = /\b(fiscal|retail)_(week|month|quarter|year)\b/

export const calendarsOf = (random: Random): Record<string, CalendarJson> => ({
  fiscal: { yearStart: random.pick(['04-01', '07-01', '02-15', '10-28', '01-01', '04-06']) },
  retail: {
    pattern: random.pick(['4-4-5', '4-5-4', '5-4-4']),
    yearEnd: {
      weekday: random.pick(['saturday', 'saturday', 'sunday', 'friday', 'wednesday']),
      month: random.pick([1, 1, 2, 6, 9, 12]),
      rule: random.pick(['last', 'nearest']),
    },
  },
})

/** The model with calendars, whose grains some dimensions and metrics use. */
export function withCalendars(random: Random, model: ModelJson): ModelJson {
  const dimensions = Object.entries(model.dimensions ?? {}).map(([name, d]) => {
    const timeGrain = inCalendar(random, d.timeGrain)
    return [name, timeGrain === undefined ? d : { ...d, timeGrain }] as const
  })
  const metrics = Object.entries(model.metrics ?? {}).map(([name, m]) => [name, inCalendars(random, m)] as const)
  return {
    ...model,
    calendars: calendarsOf(random),
    ...(model.dimensions && { dimensions: Object.fromEntries(dimensions) }),
    ...(model.metrics && { metrics: Object.fromEntries(metrics) }),
  }
}

function inCalendars(random: Random, metric: MetricJson): MetricJson {
  const { grainToDate, periodOverPeriod: period } = metric
  const [toDate, grain, offsetGrain] = [grainToDate, period?.grain, period?.offsetGrain].map((g) => inCalendar(random, g))
  return {
    ...metric,
    ...(toDate !== undefined && { grainToDate: toDate }),
    ...(period && {
      periodOverPeriod: { ...period, ...(grain !== undefined && { grain }), ...(offsetGrain !== undefined && { offsetGrain }) },
    }),
  }
}

/** Often another grain than the given one: mostly one of the same name, in a calendar that has it. */
function inCalendar(random: Random, grain: string | undefined): string | undefined {
  if (grain === undefined || !UNITS.includes(grain) || random.chance(0.4)) return grain
  const unit = random.chance(0.75) ? grain : random.pick(UNITS)
  return `${unit === 'week' ? 'retail' : random.pick(['fiscal', 'retail', 'retail'])}_${unit}`
}

/** The query with grains of calendars, in its selection and in its ranges of time. */
export function askedInCalendars(random: Random, model: ModelJson, query: QueryJson): QueryJson {
  const { select, where, grouping } = query
  const written = new Map<string, string>()
  for (const text of select.dimensions ?? []) {
    const [, name, grain] = (typeof text === 'string' && !model.dimensions?.[text] && /^(.*):(\w+)$/.exec(text)) || []
    const changed = name === undefined ? text : `${name}:${inCalendar(random, grain)}`
    if (typeof text !== 'string' || typeof changed !== 'string') continue
    if (![...written.values(), ...select.dimensions!].includes(changed)) written.set(text, changed)
  }
  const said = (text: string): string => written.get(text) ?? text
  return {
    ...query,
    select: {
      ...select,
      ...(select.dimensions && { dimensions: select.dimensions.map((d) => (typeof d === 'string' ? said(d) : d)) }),
    },
    ...(where && { where: where.map((f) => spanned(random, f)) }),
    ...(typeof grouping === 'object' &&
      typeof grouping.sets === 'object' && { grouping: { sets: grouping.sets.map((names) => names.map(said)) } }),
  }
}

function spanned(random: Random, filter: WrittenJson): WrittenJson {
  if (typeof filter === 'string' || 'segment' in filter) return filter
  if ('logic' in filter) return { ...filter, filters: filter.filters.map((f) => spanned(random, f)) }
  const span = (filter as LeafJson).value as { readonly unit?: string } | null | undefined
  if (typeof span?.unit !== 'string') return filter
  return { ...(filter as LeafJson), value: { ...span, unit: inCalendar(random, span.unit)! } }
}
