import { entryOf } from '../../invariant.js'
import { isSame } from '../../same.js'
import type { ColumnDocument, JoinDocument } from '../document.js'
import { type Grain, lengthOfGrain } from '../grain.js'
import type { Granularity, SpreadOver } from '../granularity.js'
import type { Segments } from '../parse/locate.js'
import type { Column } from '../semantic-model.js'
import { type Context, entriesOf } from './context.js'

/** Adds to the times of facts how coarse their data are, as the columns or their joins to calendars say. */
export function* readGranularities(context: Context): Generator<undefined> {
  for (const [object, entry] of entriesOf(context.document.dataObjects)) {
    for (const [name, column] of entriesOf(entry.columns)) {
      yield
      const segments = ['dataObjects', object, 'columns', name]
      if (!context.isBroken(segments)) settle({ object, name, entry: column, segments }, context)
    }
    for (const [i, join] of (entry.joins ?? []).entries()) {
      const segments = ['dataObjects', object, 'joins', i]
      if (context.isBroken(segments) || !isGranular(join)) continue
      const name = joiningColumn(join, segments, context)
      if (name !== undefined) settle({ object, name, entry: join, segments }, context)
    }
  }
}

interface Written {
  readonly object: string
  readonly name: string
  readonly entry: Pick<ColumnDocument, 'granularity' | 'spread'>
  readonly segments: Segments
}

const isGranular = ({ granularity, spread }: Written['entry']): boolean => granularity !== undefined || spread !== undefined

/** The column by which a fact joins the days of a calendar. */
function joiningColumn({ joinTo, columnsFrom, during, asOf }: JoinDocument, segments: Segments, context: Context) {
  const [column, ...others] = columnsFrom
  const isCalendar = context.document.dataObjects?.[joinTo]?.calendar !== undefined
  if (isCalendar && others.length === 0 && column !== undefined && !during && !asOf) return column
  const message = `The granularity of a join is that of the days which it joins: '${joinTo}' must be a calendar, joined by one column. Otherwise declare it on the time column`
  context.faults.error('INVALID_SETTING', segments, message)
  return undefined
}

function settle({ object, name, entry, segments }: Written, context: Context): void {
  if (!isGranular(entry)) return
  const { columns } = entryOf(context.objects, object)
  const column = columns.get(name)
  const granularity = readGranularity({ object, name, entry, segments }, context)
  if (!column || !granularity || !isTime({ object, column, granularity }, segments, context)) return
  const { granularity: other } = column
  if (other && (other.grain !== granularity.grain || !isSame(other.spread, granularity.spread))) {
    const message = `'${object}.${name}' has two granularities; declare one, on the column or on the join`
    context.faults.error('INVALID_SETTING', [...segments, 'granularity'], message)
  }
  columns.set(name, { ...column, granularity })
}

function readGranularity(written: Written, context: Context): Granularity | undefined {
  const {
    entry: { granularity, spread },
    segments,
  } = written
  const { grains, faults } = context
  if (granularity === undefined) {
    faults.error(
      'INVALID_SETTING',
      [...segments, 'spread'],
      'spread divides the periods of a granularity; declare granularity, too',
    )
    return undefined
  }
  const grain = grains.get(granularity)
  if (grain === undefined) {
    const message = `'${granularity}' is no grain of this model`
    faults.unknown('INVALID_SETTING', [...segments, 'granularity'], { message, name: granularity, known: grains.keys() })
    return undefined
  }
  if (isLongerThanDay(grain)) {
    if (typeof spread !== 'object') return { grain, spread }
    const over = readOver(spread.over, written, context)
    return over && { grain, spread: over }
  }
  const message = `granularity is for data that are coarser than days, such as month; '${granularity}' is not`
  faults.error('INVALID_SETTING', [...segments, 'granularity'], message)
  return undefined
}

/** The calendar that the time joins, and its column with the days that have a part. */
function readOver(over: string, { object, name, segments }: Written, context: Context): SpreadOver | undefined {
  const at = [...segments, 'spread']
  const { joins = [] } = entryOf(new Map(entriesOf(context.document.dataObjects)), object)
  const join = joins.find(
    ({ joinTo, columnsFrom, secondary }, at) =>
      !context.isBroken(['dataObjects', object, 'joins', at]) &&
      context.document.dataObjects?.[joinTo]?.calendar !== undefined &&
      columnsFrom.join('\n') === name &&
      !secondary,
  )
  const calendar = join && context.objects.get(join.joinTo)
  const day = join?.columnsTo[0]
  if (!join || !calendar || day === undefined) {
    const message = `spread over days needs the calendar that has them: join one by '${name}'`
    context.faults.error('INVALID_SETTING', at, message)
    return undefined
  }
  const column = calendar.columns.get(over)
  if (!column) {
    const message = `'${over}' is no column of '${join.joinTo}'`
    context.faults.unknown('INVALID_SETTING', at, { message, name: over, known: calendar.columns.keys() })
    return undefined
  }
  const fault =
    column.type.kind !== 'boolean'
      ? `'${join.joinTo}.${over}' is ${column.type.kind}; a boolean column says which days have a part`
      : calendar.columns.get(day)?.type.kind !== 'date'
        ? `'${join.joinTo}.${day}' is no date; sums are spread along one`
        : undefined
  if (fault === undefined) return { calendar: join.joinTo, day, column: over }
  context.faults.error('INVALID_SETTING', at, fault)
  return undefined
}

const isLongerThanDay = (grain: Grain): boolean => lengthOfGrain(grain) > lengthOfGrain('day')

interface Granular {
  readonly object: string
  readonly column: Column
  readonly granularity: Granularity
}

/** A period of the data is none of the question's zone, so that its day is a date; a join by a number of days can be read, but not divided. */
function isTime({ object, column, granularity }: Granular, segments: Segments, { faults }: Context): boolean {
  const { kind } = column.type
  const isJoin = segments.includes('joins')
  if (kind === 'date' || (isJoin && (kind === 'int' || kind === 'decimal') && granularity.spread === undefined)) return true
  const what = `'${object}.${column.name}' is ${kind}`
  const message =
    granularity.spread !== undefined && kind === 'int'
      ? `${what}; sums are spread along a date: join the calendar by a date column`
      : `${what}; the time of coarse data is a date, which is in the same period for every reader. Declare a column with expression: CAST({${column.name}} AS date)`
  faults.error('INVALID_SETTING', [...segments, 'granularity'], message)
  return false
}
