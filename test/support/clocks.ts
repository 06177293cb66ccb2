/** Compares grouping and filtering in a zone on an engine: every half hour of eleven years. */
import type { SemanticModel } from '@grainline/core'
import type { Dialect } from '@grainline/core/dialect'
import { parseModelSync } from '@grainline/core/unstable'
import { periodsNear, timeZone } from '../../core/src/time-zones/time-zone.js'
import { compileFor } from './compile.js'

/**
 * Offsets of halves and quarters of an hour; one and two hours and half an hour of summer time; changes at midnight, before it and at noon
 * in UTC; summer time in winter, abolished, and introduced again; zones whose rules have not changed for years.
 */
export const ZONES = [
  'America/New_York', 'America/St_Johns', 'America/Havana', 'America/Santiago', 'America/Sao_Paulo', 'America/Adak', 'Atlantic/Azores',
  'Europe/London', 'Europe/Dublin', 'Europe/Berlin', 'Africa/Cairo', 'Asia/Jerusalem', 'Asia/Tehran', 'Asia/Kolkata', 'Asia/Kathmandu',
  'Australia/Sydney', 'Australia/Lord_Howe', 'Pacific/Chatham', 'Pacific/Apia', 'Antarctica/Troll',
] as const // biome-ignore format: a table

const START = Date.UTC(2020, 0, 1) / 1000
const END = Date.UTC(2031, 0, 1) / 1000
const TICK = 1800
const TICKS = (END - START) / TICK
export const LAST_TICK = TICKS - 1

/** A table of instants: their number, the instant, and the same as a timestamp without zone in UTC. */
export const TICKS_TABLE = `CREATE TABLE ticks AS SELECT i AS id, TIMESTAMP WITH TIME ZONE '2020-01-01 00:00:00+00:00' + i * INTERVAL '30 minutes' AS moment,
  TIMESTAMP '2020-01-01 00:00:00' + i * INTERVAL '30 minutes' AS wall FROM generate_series(0, ${LAST_TICK}) AS g(i);
  CREATE INDEX ticks_by_id ON ticks (id)`

export interface ClockEngine {
  readonly dialect: Dialect
  /** Rows as texts: timestamps as `YYYY-MM-DD HH:MM:SS`, dates as `YYYY-MM-DD`. */
  readonly rows: (sql: string) => Promise<readonly (readonly string[])[]>
}

/** The instants at which the engine changes the clocks of a zone, and the offset from UTC after that in seconds. */
export async function changesOn({ dialect, rows }: ClockEngine, zone: string): Promise<readonly (readonly [number, number])[]> {
  const ahead = `EXTRACT(EPOCH FROM (${dialect.instantToZone('moment', `'${zone}'`)} - wall))`
  const found = await rows(
    `SELECT id, ahead FROM (SELECT id, ahead, LAG(ahead) OVER (ORDER BY id) AS earlier FROM (SELECT id, ${ahead} AS ahead FROM ticks) AS a) AS b
     WHERE earlier IS NULL OR earlier <> ahead ORDER BY id`,
  )
  return found.map(([id, seconds]) => [Number(id), Number(seconds)] as const)
}

/** The same from the table of the package. */
export function changesByTable(zone: string): readonly (readonly [number, number])[] {
  const periods = periodsNear(timeZone(zone)!, START, END).filter(({ from, to }) => to > START && from < END)
  return periods.map(({ from, offset }) => [Math.max(0, Math.ceil((from - START) / TICK)), offset] as const)
}

/** The model of the instants: times with every grain, for instants and for timestamps that are written in `zone`. */
export function ticksModel(defaultTimezone?: string): SemanticModel {
  const cut = (column: string) =>
    Object.fromEntries(
      ['hour', 'day', 'week', 'month'].map((timeGrain) => [`${column} ${timeGrain}`, { dataObject: 'Ticks', column, timeGrain }]),
    )
  const { model, errors } = parseModelSync({
    json: {
      settings: { ...(defaultTimezone !== undefined && { defaultTimezone }) },
      dataObjects: {
        Ticks: {
          code: 'ticks',
          columns: {
            ID: { code: 'id', abstractType: 'int', primaryKey: true },
            At: { code: 'moment', abstractType: 'timestamp_tz' },
            Wall: { code: 'wall', abstractType: 'timestamp' },
          },
        },
      },
      dimensions: { Tick: { dataObject: 'Ticks', column: 'ID' }, ...cut('At'), ...cut('Wall') },
      measures: { Sum: { columns: [{ dataObject: 'Ticks', column: 'ID' }], aggregation: 'sum' } },
      metrics: { Running: { type: 'cumulative', measure: 'Ticks Count', timeDimension: 'At hour' } },
    },
  })
  if (!model) throw new Error(errors.map(({ message }) => message).join('; '))
  return model
}

type Group = readonly [label: string, count: number, sum: number]
interface Filter {
  readonly op: string
  readonly value: unknown
  readonly holds: (label: string) => boolean
}

/** Faults near an instant: conditions on a bucket that select other rows than those that are shown in it. */
export async function disagreements(
  engine: ClockEngine,
  model: SemanticModel,
  {
    field,
    zone,
    tick,
    labels,
  }: { readonly field: string; readonly zone: string; readonly tick: number; readonly labels: number },
): Promise<readonly string[]> {
  const near = { field: 'Ticks.ID', op: 'between', value: [tick - 100, tick + 100] }
  const ask = async (dimensions: readonly string[], measures: readonly string[], filters: readonly object[]) => {
    const query = { select: { dimensions, measures }, where: [near, ...filters], order_by: dimensions.map((d) => ({ field: d })), timezone: zone } // biome-ignore format: a line
    return engine.rows(compileFor(query, model, engine.dialect).sql)
  }
  const groups = (await ask([field], ['Ticks Count', 'Sum'], [])).map(
    ([label, count, sum]): Group => [label!, Number(count), Number(sum)],
  )
  const at = groups.findIndex(([, , sum], i) => sum > 0 && groups.slice(0, i + 1).reduce((n, [, count]) => n + count, 0) > 100)
  const asked = groups.slice(Math.max(0, at - labels), at + labels + 1).map(([label]) => label)
  const wrong: string[] = []
  for (const filter of asked.flatMap((label, i) => filtersOn(label, asked[i + 2]))) {
    const kept = groups.filter(([label]) => filter.holds(label))
    const [[count, sum] = []] = await ask([], ['Ticks Count', 'Sum'], [{ field, op: filter.op, value: filter.value }])
    const [wantedCount, wantedSum] = [1, 2].map((part) => kept.reduce((n, group) => n + Number(group[part]), 0))
    if (Number(count) !== wantedCount || (Number(sum) || 0) !== wantedSum)
      wrong.push(`${zone}: ${field} ${filter.op} ${JSON.stringify(filter.value)} is ${count} rows and not ${wantedCount}`)
  }
  if (field === 'At hour') wrong.push(...(await wrongRunning(groups, asked, (label) => ask([field], ['Running'], [{ field, op: 'lte', value: label }])))) // biome-ignore format: a line
  return wrong
}

/** A running value up to a bound includes the rows that the bound accepts, and each of them its own and all earlier ones. */
async function wrongRunning(
  groups: readonly Group[],
  asked: readonly string[],
  run: (label: string) => Promise<readonly (readonly string[])[]>,
): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const label of asked) {
    let total = 0
    const wanted = groups
      .filter(([shown]) => shown <= label)
      .map(([shown, count]) => {
        total += count
        return [shown, String(total)]
      })
    const found = await run(label)
    if (JSON.stringify(found) !== JSON.stringify(wanted))
      wrong.push(`running up to ${label}: ${found.length} rows and not ${wanted.length}`)
  }
  return wrong
}

const filtersOn = (label: string, other = label): readonly Filter[] => [
  { op: 'eq', value: label, holds: (shown) => shown === label },
  { op: 'neq', value: label, holds: (shown) => shown !== label },
  { op: 'lte', value: label, holds: (shown) => shown <= label },
  { op: 'gt', value: label, holds: (shown) => shown > label },
  { op: 'between', value: [label, other], holds: (shown) => shown >= label && shown <= other },
  { op: 'not_in', value: [label, other], holds: (shown) => shown !== label && shown !== other },
]
