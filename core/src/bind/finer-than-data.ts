import { fail } from '../errors.js'
import { type ColumnRef, type Expr, isInner, leavesOf, operandsOf } from '../model/expression/ast.js'
import { type Grain, nameOfGrain } from '../model/grain.js'
import { consistsOf } from '../model/granularity.js'
import { fieldLeaves, locate, membersFor } from '../resolve/locate.js'
import {
  type AggregateQuery,
  type Conjunct,
  type FieldLeaf,
  nameOfDimension,
  objectOf,
  type PeriodEndLeaf,
  type ReachedLeaf,
  type ResolvedDimension,
  timedParts,
  type WhereLeaf,
} from '../resolve/resolved-query.js'
import { ceil, floor, type Micros, parseTime } from '../resolve/time.js'
import { timesLeft } from '../resolve/times-left.js'
import type { BlockRequest } from './block-request.js'
import { fieldOf } from './calendar-columns.js'
import { type GranularRead, granularRead, hasCoarseData } from './granular-reads.js'
import { shownBeside } from './shown-rows.js'

/** Something in a question that is finer than the data of a fact. */
export interface Finer {
  readonly read: GranularRead
  /** How it is to be said instead. */
  readonly what: string
  readonly hint: string
  readonly suggestions: readonly string[]
  readonly path: string
}

type Asked = Pick<AggregateQuery, 'graph' | 'time' | 'model'>

/** The groups and conditions of a block that are finer than the data, in their order. */
export function finerThanData({ base, dimensions, conjuncts }: BlockRequest, query: Asked): readonly Finer[] {
  if (!hasCoarseData(query.model)) return []
  return [
    ...[...dimensions, ...shownBeside(dimensions, conjuncts)].flatMap((dimension) => finerGroup(dimension, base, query)),
    ...conjuncts.flatMap((conjunct) => finerCondition(conjunct, base, query)),
  ]
}

/** Throws `FINER_THAN_DATA`. */
export function refuseFiner(measure: string, { read, what, hint, suggestions, path }: Finer): never {
  const { time, granularity } = read
  const { column, object } = time
  return fail(
    'FINER_THAN_DATA',
    `'${measure}' has one value for each ${nameOfGrain(granularity.grain)} ('${object}.${column}'), and ${what}`,
    { path, hint, suggestions, context: { measure, dataObject: object, granularity: nameOfGrain(granularity.grain) } },
  )
}

function finerGroup(dimension: ResolvedDimension, base: string, query: Asked): readonly Finer[] {
  const { grain, movedBy = [], expression, label, path } = dimension
  const isMoved = (read: GranularRead): boolean => movedBy.some(({ unit }) => !consistsOf(unit, read.granularity.grain))
  return fieldLeaves(dimension)
    .flatMap((leaf) => readsOf(leaf, base, expression ? undefined : grain, query, path))
    .filter((read) => read.says !== 'whole' || isMoved(read))
    .map((read) => ({ read, path, ...adviceForGroup(dimension, read, label) }))
}

function adviceForGroup(
  dimension: ResolvedDimension,
  { granularity }: GranularRead,
  label: string,
): Pick<Finer, 'what' | 'hint' | 'suggestions'> {
  const name = nameOfGrain(granularity.grain)
  const [{ type }] = dimension.members
  const isTime = dimension.expression === undefined && type.kind === 'date'
  const suggestion = `${nameOfDimension(dimension)}:${name}`
  return {
    what: `'${label}' divides a ${name}`,
    hint: `Select ${isTime ? `'${suggestion}' in place of '${label}'` : `no '${label}' beside it`}, or periods that consist of whole ones of ${name}; or declare spread on the time of the data.`,
    suggestions: isTime ? [suggestion] : [],
  }
}

/** How the members of a field that a base uses read coarse data. */
function readsOf(
  leaf: FieldLeaf,
  base: string,
  grain: Grain | undefined,
  { graph }: Asked,
  path: string,
): readonly GranularRead[] {
  return (membersFor(base, leaf.members, graph, path) ?? []).flatMap((member) => {
    const at = locate(base, member, graph, path)
    return (at && granularRead(member, at.kind === 'bridge' ? at.node : base, grain, graph)) ?? []
  })
}

function finerCondition(conjunct: Conjunct, base: string, query: Asked): readonly Finer[] {
  const fields = conjunct.leaves.filter((leaf) => leaf.kind === 'where-field')
  const found = fields.flatMap((leaf) => readsOf(leaf, base, undefined, query, conjunct.path))
  return found.filter(({ says }) => says !== 'whole').flatMap((read) => finerRead(read, conjunct, base, query))
}

function finerRead(read: GranularRead, conjunct: Conjunct, base: string, query: Asked): readonly Finer[] {
  const { grain } = read.granularity
  const asked: Condition = {
    conjunct,
    grain,
    query,
    saysOf: (leaf) => readsOf(leaf, base, undefined, query, conjunct.path).map((r) => r.says),
  }
  if (isWholePart(conjunct.expression, asked)) return []
  const isOfTime = conjunct.leaves.every((leaf) => saysOnlyDays(leaf, asked))
  if (isOfTime && isOfWholePeriods(conjunct, asked)) return []
  const name = nameOfGrain(grain)
  const which = conjunct.fields.map((field) => `'${field}'`).join(', ')
  return [
    {
      read,
      what: `the ${conjunct.ofMeasure ? 'range' : 'filter'} on ${which} divides a ${name}`,
      hint: `Compare ${which} with whole ones of ${name}, from the first day of one to the last day of another; or declare spread on the time of the data.`,
      suggestions: [],
      path: conjunct.path,
    },
  ]
}

interface Condition {
  readonly conjunct: Conjunct
  readonly grain: Grain
  readonly query: Asked
  readonly saysOf: (leaf: FieldLeaf) => readonly GranularRead['says'][]
}

const saysOnlyDays = (leaf: ReachedLeaf, { saysOf }: Condition): boolean => {
  const says = leaf.kind === 'where-field' ? saysOf(leaf) : []
  return says.length > 0 && says.every((one) => one === 'day')
}

/** Whether a part of a condition is true or false for whole periods, whatever the other parts are. */
function isWholePart(part: Expr<WhereLeaf>, condition: Condition): boolean {
  const { conjunct, saysOf } = condition
  if (timedParts(conjunct.times).get(part)) {
    const fields = leavesOf<WhereLeaf>(part).filter((leaf) => leaf.kind === 'where-field')
    if (fields.every((leaf) => saysOf(leaf).every((says) => says === 'whole'))) return true
    return fields.every((leaf) => saysOnlyDays(leaf, condition)) && isOfWholePeriods({ ...conjunct, expression: part }, condition)
  }
  if (!isInner<WhereLeaf>(part)) return part.kind !== 'where-field' || saysOf(part).every((says) => says === 'whole')
  // A row without a time is in no period.
  if (part.kind === 'is-null' && !isInner<WhereLeaf>(part.operand) && part.operand.kind === 'where-field')
    return saysOf(part.operand).every((says) => says !== 'finer')
  if (part.kind === 'binary' && !isInner<WhereLeaf>(part.right) && part.right.kind === 'where-period-end')
    return namesWholePeriods(part.right, condition)
  return operandsOf(part).every((operand) => isWholePart(operand, condition))
}

/** Whether a condition on days leaves whole periods. */
function isOfWholePeriods(conjunct: Conjunct, { grain, query: { time } }: Condition): boolean {
  // The time is a date, so that an end within a day is that of the day.
  const isEdge = (at: Micros | undefined): boolean => {
    const day = at === undefined ? undefined : ceil(at, 'day', time.weekStart)
    return day === undefined || isBeyondAll(day) || floor(day, grain, time.weekStart) === day
  }
  return timesLeft([conjunct], time)?.every(({ from, to }) => isEdge(from) && isEdge(to)) ?? false
}

const [FIRST, LAST] = ['0001-01-01', '9999-12-31'].map((day) => parseTime(day)!.micros) as [Micros, Micros]
/** Whether no date is before the day, or none after it, such as the end of the week that has the last one. */
const isBeyondAll = (day: Micros): boolean => day <= FIRST || day > LAST

/** Whether the end of a named period is that of a whole period of the data. */
const namesWholePeriods = ({ filter, calendar }: PeriodEndLeaf, { grain, query: { model } }: Condition): boolean =>
  leavesOf<WhereLeaf>(filter)
    .flatMap((leaf) => leavesOf<ColumnRef>(fieldOf(leaf).expression))
    .every(({ column }) => {
      const period = objectOf(model, calendar).calendar?.periods.get(column)
      return period !== undefined && consistsOf(period.grain, grain)
    })
