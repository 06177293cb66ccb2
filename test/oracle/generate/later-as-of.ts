/** Objects of which the last row before a time is looked up. */
import type { AsOfJson, ColumnJson, ModelJson, ObjectJson, PlainRow, Tables } from '../model.js'
import { DAYS, MOMENTS } from './pools.js'
import type { Random } from './random.js'

interface World {
  readonly model: ModelJson
  readonly data: Tables
}

export type TimeType = 'date' | 'timestamp' | 'timestamp_tz'

const pool = (type: TimeType): readonly string[] => (type === 'date' ? DAYS : MOMENTS)
const timeColumn = (code: string, abstractType: TimeType): ColumnJson => ({ code, abstractType })

/** The rows of the target become several, each with a time, and the joins to it find the nearest one. In some models a static filter hides some of them. */
export function withTimes(random: Random, { model, data }: World, target: string, types: readonly TimeType[]): World {
  const stamp: TimeType = random.chance(0.6) ? 'date' : random.pick(types)
  const time: TimeType = stamp === 'date' ? random.pick(types) : stamp
  const asOf = asOfJson(random, { target, stamp, zoned: types.includes('timestamp_tz') })
  const isJoining = ({ joins = [] }: ObjectJson): boolean => joins.some(({ joinTo }) => joinTo === target)
  const objects = Object.entries(model.dataObjects)
  const changed = objects.map(([name, object]): readonly [string, ObjectJson] => {
    if (name === target) return [name, stamped(object, stamp)]
    return [name, isJoining(object) ? joiningAsOf(object, target, asOf, time) : object]
  })
  const stored = objects.filter(([name]) => data[name] !== undefined)
  const rows = stored.map(([name, object]): readonly [string, readonly PlainRow[]] => {
    if (name === target) return [name, editions(random, object, data[name]!, pool(stamp))]
    const someTime = () => (random.chance(0.1) ? null : random.pick(pool(time)))
    return [name, isJoining(object) ? data[name]!.map((row) => ({ ...row, [asOf.time]: someTime() })) : data[name]!]
  })
  const hidden = { dataObject: target, column: 'edition', operator: 'equals', value: 1 }
  const filters = random.chance(0.3) ? { filters: [...(model.filters ?? []), hidden] } : {}
  return {
    model: { ...model, ...filters, dataObjects: Object.fromEntries(changed) },
    data: { ...data, ...Object.fromEntries(rows) },
  }
}

interface Looking {
  readonly target: string
  readonly stamp: TimeType
  readonly zoned: boolean
}

function asOfJson(random: Random, { target, stamp, zoned }: Looking): AsOfJson {
  const lengths = ['1 days', '31 days', '1 weeks', '1 months', '0 days']
  const within = random.pick(stamp === 'date' ? lengths : [...lengths, '12 hours', '90 minutes'])
  return {
    time: `as of ${target}`,
    to: 'stamp',
    ...(random.chance(0.3) && { direction: 'forward' }),
    ...(random.chance(0.4) && { within }),
    ...(stamp === 'date' && zoned && random.chance(0.4) && { zone: random.pick(['Asia/Kolkata', 'America/New_York']) }),
  }
}

/** Its key is the number of the row. */
function stamped(object: ObjectJson, stamp: TimeType): ObjectJson {
  const columns = Object.entries(object.columns).map(([name, { primaryKey: _, ...column }]) => [name, column] as const)
  const version: ColumnJson = { code: 'version', abstractType: 'int', primaryKey: true }
  const edition: ColumnJson = { code: 'edition', abstractType: 'int' }
  return { ...object, columns: { ...Object.fromEntries(columns), version, edition, stamp: timeColumn('stamped_at', stamp) } }
}

function joiningAsOf(object: ObjectJson, target: string, asOf: AsOfJson, time: TimeType): ObjectJson {
  const joins = object.joins!.map((join) => {
    const { foreignKey: _, ...rest } = join
    return join.joinTo === target ? { ...rest, asOf } : join
  })
  const code = asOf.time.toLowerCase().replaceAll(' ', '_')
  return { ...object, columns: { ...object.columns, [asOf.time]: timeColumn(code, time) }, joins }
}

/** Each row as one to four with other values, some of one time and some without; their numbers are in no order. */
function editions(
  random: Random,
  { columns }: ObjectJson,
  rows: readonly PlainRow[],
  times: readonly string[],
): readonly PlainRow[] {
  const key = Object.keys(columns).filter((name) => /^(id|part)$/.test(name))
  const made = rows.flatMap((row) =>
    Array.from({ length: random.between(1, 4) }, (_, i) => {
      const values = i === 0 ? row : { ...random.pick(rows), ...Object.fromEntries(key.map((name) => [name, row[name]!])) }
      return { ...values, stamp: random.chance(0.1) ? null : random.pick(times), edition: random.between(1, 2) }
    }),
  )
  const numbers = random.some(
    made.map((_, i) => i + 1),
    made.length,
  )
  return made.map((row, i) => ({ ...row, version: numbers[i]! }))
}
