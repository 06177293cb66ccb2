/** Objects of which rows are valid for a period only, and joins that find the row of a time. */
import type { ColumnJson, DuringJson, JoinJson, ModelJson, ObjectJson, PlainRow, Tables } from '../model.js'
import { type TimeType, withTimes } from './later-as-of.js'
import { DAYS, MOMENTS } from './pools.js'
import type { Random } from './random.js'

interface World {
  readonly model: ModelJson
  readonly data: Tables
}

/** One or two objects become histories, and in some models one object has a period that contains times of another. */
export function withValidity(random: Random, model: ModelJson, data: Tables): World {
  const targets = random.some(targetsOf(model), random.between(1, 2))
  const types: readonly TimeType[] = hasZones(model) ? ['date', 'timestamp', 'timestamp_tz'] : ['date', 'timestamp']
  const dated = targets.reduce(
    (world, target) => (random.chance(0.5) ? withTimes(random, world, target, types) : withHistory(random, world, target)),
    { model, data },
  )
  return random.chance(0.3) ? withPeriodsHere(random, dated) : dated
}

const isForward = ({ joinType }: JoinJson): boolean => joinType === 'many-to-one'

/** Objects that others join only from many to one, and that are tables of their own. */
const targetsOf = ({ dataObjects }: ModelJson): readonly string[] =>
  Object.entries(dataObjects).flatMap(([name, object]) => {
    const joining = Object.values(dataObjects).filter(({ joins = [] }) => joins.some(({ joinTo }) => joinTo === name))
    const isPlain = [object, ...joining].every(({ nestedIn, bridge, calendar }) => (nestedIn ?? bridge ?? calendar) === undefined)
    const own = object.joins ?? []
    const joins = joining.flatMap(({ joins = [] }) => joins.filter(({ joinTo }) => joinTo === name))
    // Without a key, rows that an exists finds by more than equal columns are refused.
    const isKeyed = [object, ...joining].every(({ columns }) => Object.values(columns).some(({ primaryKey }) => primaryKey))
    const isSplit = Object.values(dataObjects).some(({ nestedIn }) => nestedIn?.dataObject === name)
    const fits = joins.length > 0 && joins.every(isForward) && own.every(isForward) && own.every(({ joinTo }) => joinTo !== name)
    return isPlain && isKeyed && !isSplit && fits ? [name] : []
  })

const hasZones = ({ settings, dataObjects }: ModelJson): boolean =>
  settings?.defaultTimezone !== undefined ||
  Object.values(dataObjects).some(({ columns }) => Object.values(columns).some((c) => c.abstractType === 'timestamp_tz'))

const pool = (type: TimeType): readonly string[] => (type === 'date' ? DAYS : MOMENTS)
const timeColumn = (code: string, abstractType: TimeType): ColumnJson => ({ code, abstractType })

function withHistory(random: Random, { model, data }: World, target: string): World {
  const zoned = hasZones(model)
  const types: readonly TimeType[] = zoned ? ['date', 'timestamp', 'timestamp_tz'] : ['date', 'timestamp']
  const period: TimeType = random.chance(0.6) ? 'date' : random.pick(types)
  const includesEnd = period === 'date' && random.chance(0.3)
  const time: TimeType = period === 'date' ? random.pick(types) : period
  const zone = period === 'date' && zoned && random.chance(0.4) ? { zone: random.pick(['Asia/Kolkata', 'America/New_York']) } : {}
  const during: DuringJson = { time: `when ${target}`, from: 'since', to: 'until', ...(includesEnd && { includesEnd }), ...zone }
  const names = Object.keys(model.dataObjects)
  const joins = (name: string) => (model.dataObjects[name]!.joins ?? []).some(({ joinTo }) => joinTo === target)
  const changed = names.map((name): readonly [string, ObjectJson] => {
    const object = model.dataObjects[name]!
    if (name === target) return [name, history(object, period)]
    return [name, joins(name) ? joiningOver(object, target, during, time) : object]
  })
  const rows = names
    .filter((name) => data[name] !== undefined)
    .map((name) => {
      const own = data[name]!
      if (name === target) return [name, versions(random, model.dataObjects[name]!, own, { period, includesEnd })]
      return [
        name,
        joins(name) ? own.map((row) => ({ ...row, [during.time]: random.chance(0.1) ? null : random.pick(pool(time)) })) : own,
      ]
    })
  const dated = { model: { ...model, dataObjects: Object.fromEntries(changed) }, data: { ...data, ...Object.fromEntries(rows) } }
  return random.chance(0.3) ? withHiddenVersions(random, dated, target) : dated
}

/** More versions, which overlap the others and which a static filter hides. */
function withHiddenVersions(random: Random, { model, data }: World, target: string): World {
  const object = model.dataObjects[target]!
  const columns = { ...object.columns, edition: { code: 'edition', abstractType: 'int' } }
  const period = object.columns['since']!.abstractType as TimeType
  const shown = data[target]!.map((row) => ({ ...row, edition: 1 }))
  const hidden = shown.flatMap((row, i) => {
    const [since, until] = random.some(pool(period), 2).toSorted()
    const open = random.chance(0.4)
    return random.chance(0.5)
      ? [{ ...row, since: open ? null : since!, until: open ? null : until!, version: 1000 + i, edition: 2 }]
      : []
  })
  const filter = { dataObject: target, column: 'edition', operator: 'equals', value: 1 }
  return {
    model: {
      ...model,
      dataObjects: { ...model.dataObjects, [target]: { ...object, columns } },
      filters: [...(model.filters ?? []), filter],
    },
    data: { ...data, [target]: [...shown, ...hidden] },
  }
}

/** Its key is the number of the version. */
function history(object: ObjectJson, period: TimeType): ObjectJson {
  const columns = Object.entries(object.columns).map(([name, { primaryKey: _, ...column }]) => [name, column] as const)
  const version: ColumnJson = { code: 'version', abstractType: 'int', primaryKey: true }
  const added = { version, since: timeColumn('valid_since', period), until: timeColumn('valid_until', period) }
  return { ...object, columns: { ...Object.fromEntries(columns), ...added } }
}

function joiningOver(object: ObjectJson, target: string, during: DuringJson, time: TimeType): ObjectJson {
  const joins = object.joins!.map((join): JoinJson => {
    const { foreignKey: _, ...rest } = join
    return join.joinTo === target ? { ...rest, during } : join
  })
  const code = during.time.toLowerCase().replaceAll(' ', '_')
  return { ...object, columns: { ...object.columns, [during.time]: timeColumn(code, time) }, joins }
}

/** Each row as one to three versions with other values, whose periods do not overlap; some are empty, and some have no beginning or no end. */
function versions(
  random: Random,
  { columns }: ObjectJson,
  rows: readonly PlainRow[],
  { period, includesEnd }: { readonly period: TimeType; readonly includesEnd: boolean },
): readonly PlainRow[] {
  const key = Object.keys(columns).filter((name) => /^(id|part)$/.test(name))
  const made = rows.flatMap((row) => {
    const count = random.between(1, 3)
    const bounds = random.some([...new Set(pool(period))], includesEnd || random.chance(0.3) ? 2 * count : count + 1).toSorted()
    const isApart = bounds.length === 2 * count && (includesEnd || count > 1)
    const periods = Array.from({ length: count }, (_, i): readonly [string | null, string | null] =>
      isApart ? [bounds[2 * i]!, bounds[2 * i + 1]!] : [bounds[i]!, bounds[i + 1]!],
    )
    const ends = periods.map(([from, to], i): readonly [string | null, string | null] => [
      i === 0 && random.chance(0.3) ? null : from,
      i === count - 1 && random.chance(0.5) ? null : to,
    ])
    const empty: readonly (readonly [string, string])[] = includesEnd || random.chance(0.8) ? [] : [[bounds[0]!, bounds[0]!]]
    return [...ends, ...empty].map(([since, until], i) => {
      const values = i === 0 ? row : { ...random.pick(rows), ...Object.fromEntries(key.map((name) => [name, row[name]!])) }
      return { ...values, since, until }
    })
  })
  return made.map((row, i) => ({ ...row, version: i + 1 }))
}

/** A many-to-many join of an object with a period to the times of another. */
function withPeriodsHere(random: Random, { model, data }: World): World {
  const objects = Object.entries(model.dataObjects)
  const hasOther = objects.some(([, { joins = [] }]) => joins.some(({ joinType }) => joinType !== 'many-to-one'))
  const isPlain = ([, { nestedIn, bridge, calendar, columns }]: (typeof objects)[number]) =>
    (nestedIn ?? bridge ?? calendar) === undefined && Object.values(columns).some(({ primaryKey }) => primaryKey)
  const [b, a] = random
    .some(
      objects.filter(isPlain).map(([name]) => name),
      2,
    )
    .toSorted()
  if (hasOther || a === undefined || b === undefined) return { model, data }
  const [left, right] = [model.dataObjects[a]!, model.dataObjects[b]!]
  if (left.joins?.some(({ joinTo }) => joinTo === b) || right.joins?.some(({ joinTo }) => joinTo === a)) return { model, data }
  const includesEnd = random.chance(0.3)
  const during: DuringJson = { interval: 'here', time: 'seen', from: 'opened', to: 'closed', ...(includesEnd && { includesEnd }) }
  const equal = random.chance(0.4)
  const join: JoinJson = {
    joinType: 'many-to-many',
    joinTo: b,
    columnsFrom: equal ? ['kind here'] : [],
    columnsTo: equal ? ['kind there'] : [],
    during,
  }
  const kind = (code: string): ColumnJson => ({ code, abstractType: 'int' })
  const here = {
    opened: timeColumn('opened', 'date'),
    closed: timeColumn('closed', 'date'),
    ...(equal && { 'kind here': kind('kind_here') }),
  }
  const there = { seen: timeColumn('seen', 'date'), ...(equal && { 'kind there': kind('kind_there') }) }
  const day = (none: number) => (random.chance(none) ? null : random.pick(DAYS))
  const some = () => (random.chance(0.1) ? null : random.between(1, 2))
  return {
    model: {
      ...model,
      dataObjects: {
        ...model.dataObjects,
        [a]: { ...left, columns: { ...left.columns, ...here }, joins: [...(left.joins ?? []), join] },
        [b]: { ...right, columns: { ...right.columns, ...there } },
      },
    },
    data: {
      ...data,
      [a]: data[a]!.map((row) => ({ ...row, opened: day(0.1), closed: day(0.3), ...(equal && { 'kind here': some() }) })),
      [b]: data[b]!.map((row) => ({ ...row, seen: day(0.1), ...(equal && { 'kind there': some() }) })),
    },
  }
}
