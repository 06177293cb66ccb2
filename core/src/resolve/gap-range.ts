/** The times whose periods a query reports with `fill_gaps: range`: those that its conditions leave for the fields that it selects. */
import { fail } from '../errors.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { ALL, intersection, type Micros, type Range, type Ranges, union } from '../time-zones/ranges.js'
import type { TimeContext } from './clock.js'
import { daysOf, isSameTime } from './days-of.js'
import { readsDaysOfPeriods } from './days-of-periods.js'
import { daysNamed } from './generated-periods.js'
import type { JoinGraph } from './join-graph.js'
import { isOfGenerated, namesPeriod, refuseSeveralPeriods } from './named-periods.js'
import { conjunctsOnTime } from './periods.js'
import type { Conjunct, FieldSource, GapRange, ResolvedDimension } from './resolved-query.js'
import { MICROS_PER_DAY, parseTime } from './time.js'
import { timesLeft } from './times-left.js'

interface Within {
  readonly model: SemanticModel
  readonly graph: JoinGraph
  readonly clocks: TimeContext
}

/** The conjuncts that a selected aggregate sees, and the object whose rows it reads. */
interface Seen {
  readonly where: readonly Conjunct[]
  readonly base?: string
}

/** The range of the selected aggregates together. Throws `TIME_FILTER_NOT_A_RANGE`. */
export function gapRange(time: ResolvedDimension, seen: readonly Seen[], within: Within): GapRange {
  const { model, graph } = within
  const all = seen.map(({ where, base }) => ({ where, onTime: conjunctsOnTime(time, where, graph, base) }))
  // Detail rows that an answer shows are no filter of the query.
  const ofTable = time.ofTable && all.flatMap(({ where }) => where).find(({ shown }) => shown === undefined)
  if (ofTable) refuse(time, ofTable, 'only the table knows the periods')
  const [named = [], ...others] = all.map(({ onTime }) => onTime.filter((c) => namesPeriod(c, model)))
  if (others.some((other) => other.length !== named.length || other.some((c) => !named.includes(c))))
    refuse(time, named[0] ?? others.flat()[0], 'some of the selected fields look past it')
  refuseSeveralPeriods('fill_gaps', named, model)
  const generated = named[0] !== undefined && isOfGenerated(named[0], model)
  const ofCalendar: Ranges = generated ? rangesNamed(named, model) : ALL
  const ranges = all.map(({ onTime }) => leftBy(time, onTime, within))
  const { from, to } = hullOf(intersection(hull(ranges.reduce(union, [])), ofCalendar))
  // Of several parts of a time, only the outermost ends count.
  const ends = ranges.flatMap(hull)
  const reached = {
    from: from === undefined ? inOrder(ends.flatMap((end) => end.from ?? []))[0] : undefined,
    to: to === undefined ? inOrder(ends.flatMap((end) => end.to ?? [])).at(-1) : undefined,
  }
  const [first = [], ...rest] = all.map(({ where }) => where.filter((c) => isOfAttributes(c, time, graph)))
  const attributes = first.filter((c) => rest.every((other) => other.includes(c)))
  refuseSeveralCalendars(attributes)
  return { from, to, reached, named: generated ? [] : named, attributes }
}

function leftBy(time: ResolvedDimension, onTime: readonly Conjunct[], { model, clocks }: Within): Ranges {
  const conjuncts = onTime.filter((c) => !namesPeriod(c, model))
  const ofDays = conjuncts.find((c) => readsDaysOfPeriods(c, time, model))
  if (ofDays) refuse(time, ofDays, 'only the table knows the periods')
  return timesLeft(conjuncts, clocks) ?? refuse(time, conjuncts[0], 'it is none')
}

const rangesNamed = (named: readonly Conjunct[], model: SemanticModel): Ranges => {
  const days = daysNamed(named, model)
  if (!days) return []
  const [from, last] = [parseTime(days.first)!.micros, parseTime(days.last)!.micros]
  return [{ from, to: last + MICROS_PER_DAY }]
}

const inOrder = (times: readonly Micros[]): readonly Micros[] => times.toSorted((a, b) => (a < b ? -1 : 1))

const hull = (ranges: Ranges): Ranges => (ranges.length === 0 ? [] : [{ from: ranges[0]!.from, to: ranges.at(-1)!.to }])
const hullOf = ([range = NONE]: Ranges): Range => range
/** Its end is so long before its beginning that no period has both, of whatever grain. */
const NONE: Range = { from: 0n, to: -1000n * MICROS_PER_DAY }

const refuse = (time: ResolvedDimension, conjunct: Conjunct | undefined, why: string): never =>
  fail(
    'TIME_FILTER_NOT_A_RANGE',
    `fill_gaps reports every period of the range that the filters leave of '${time.label}', and of the filter on '${conjunct?.fields[0]}' ${why}`,
    { path: conjunct?.path ?? 'fill_gaps', hint: 'compare the time with dates, such as between, or set fill_gaps: true' },
  )

/** The days that are left are looked up in one table. */
function refuseSeveralCalendars(attributes: readonly Conjunct[]): void {
  const calendarOf = ({ leaves: [leaf] }: Conjunct): string => (leaf?.kind === 'where-field' ? leaf.members[0].object : '')
  const [one, other] = new Map(attributes.map((conjunct) => [calendarOf(conjunct), conjunct])).values()
  if (!one || !other) return
  fail(
    'TIME_FILTER_NOT_A_RANGE',
    `fill_gaps reports the periods that the filters on a calendar leave, and '${one.fields[0]}' and '${other.fields[0]}' are of two calendars`,
    { path: other.path, hint: 'filter by columns of one calendar, or set fill_gaps: true' },
  )
}

/** Whether a condition reads the calendar of a time alone, and not only its periods. */
function isOfAttributes({ leaves }: Conjunct, { members }: ResolvedDimension, graph: JoinGraph): boolean {
  const { model } = graph
  const days = members.flatMap((m) => daysOf(m, model))
  const said = (source: FieldSource) =>
    daysOf(source, model).find((one) => one.joinedBy === undefined && days.some((day) => isSameTime(day, one, graph)))
  const all = leaves.flatMap((leaf) => (leaf.kind === 'where-field' ? leaf.members.map(said) : [undefined]))
  return all.length > 0 && all.every((one) => one !== undefined) && all.some((one) => one?.says === 'attribute')
}
