import { INT } from '../model/data-type.js'
import type { WeekStart } from '../model/grain.js'
import { freeName } from '../resolve/aliases.js'
import { timeLiteral } from '../resolve/bucket.js'
import { type Elsewhere, isOwnRow, shiftOf } from '../resolve/elsewhere.js'
import { allOf, anyOf, binary, coalesce, integer, isNotNull, isNull, onlyWhere } from '../resolve/expressions.js'
import { furtherOut } from '../resolve/further-out.js'
import { truncated } from '../resolve/grain-expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import {
  type AggregateQuery,
  type Fill,
  hasDimension,
  isOfTime,
  type MetricStep,
  type ResolvedDimension,
  type Shift,
  type WindowStep,
} from '../resolve/resolved-query.js'
import { floor, type Micros } from '../resolve/time.js'
import { isAstride } from '../resolve/time-dimension.js'
import { unlike } from '../same.js'
import type { BoundAggregate, BoundBlock, RowColumn } from './bound-block.js'
import type { BoundLeg, BoundLookup, BoundNested } from './bound-query.js'

/** The tuples of the rows of an aggregate; elsewhere, at the time where it is looked up. */
type TuplesOf = (aggregate: string, isElsewhere: boolean) => BoundLeg

/** A block that creates rows or provides values, and the coarser aggregates whose tuples it has. */
export interface LegOf {
  readonly leg: BoundLeg
  readonly tuplesOf: readonly string[]
}

interface Answer {
  readonly legs: readonly LegOf[]
  /** Inner queries that create rows or provide values, here or at another period. */
  readonly nested: readonly BoundNested[]
  readonly lookups: readonly BoundLookup[]
}

/** The rows of an answer with columns that show where a value has a row, and the steps that read them. */
export interface WithOwnRows {
  readonly legs: readonly BoundLeg[]
  readonly nested: readonly BoundNested[]
  readonly lookups: readonly BoundLookup[]
  readonly steps: readonly MetricStep[]
  readonly marks: readonly RowColumn[]
}

/**
 * Restricts each window to the rows in which its own measure has a row: what else the query selects may add rows, and these change no rank.
 * A window that sees every row of the answer anyway stays as it is. `tuples` is a block with the tuples of an aggregate's rows.
 */
export function withOwnRows(answer: Answer, query: AggregateQuery, tuples: TuplesOf): WithOwnRows {
  const { dimensions, steps, fill } = query
  const { legs, nested, lookups } = answer
  if (steps.every(({ kind }) => kind !== 'window')) return { legs: legs.map(({ leg }) => leg), nested, lookups, steps, marks: [] }
  const { weekStart } = query.time
  // A shown row may fill a gap, or compare a period, between rows that are not shown.
  const isOfShown = query.where.some(({ shown }) => shown !== undefined)
  const isSeenWhole = (step: WindowStep): boolean =>
    dimensions.length === 0 || (!isOfShown && isEveryRow(answer, step) && hasGapsOf(fill?.range, step))
  const marking = new Marking(answer, query.columnNames, tuples)
  const restricted = steps.flatMap((step) => {
    if (step.kind !== 'window' || isSeenWhole(step)) return [step]
    const seen = new SeenRows(step, { fill, dimensions, weekStart, free: marking.free })
    const own = seen.withCompared(marking.rowsOf(step), marking.comparedWith(step))
    const windows = seen.within(own)
    return [...seen.steps, ...windows]
  })
  return { ...marking.marked, steps: restricted, marks: marking.columns }
}

/** Whether each row of the answer is a row of a value of the step, here or in the compared period. */
function isEveryRow({ legs, nested, lookups }: Answer, { rowsOf, rowsComparedWith }: WindowStep): boolean {
  const isOf = (name: string): boolean => rowsOf.includes(name)
  const isCompared = (name: string): boolean => rowsComparedWith.includes(name)
  const inner = nested.filter((one) => one.shift === undefined)
  const atGrain = [...legs.flatMap(({ leg }) => leg.block.aggregates), ...inner].some(({ name }) => isOf(name))
  return (
    inner.every((one) => !one.contributesRows || isOf(one.name)) &&
    nested.every((one) => !one.addsRows || isCompared(one.name)) &&
    lookups.every(({ block, addsRows }) => !addsRows || isOfAll(block, isCompared)) &&
    legs.every(({ leg, tuplesOf }) => {
      if (!leg.contributesRows) return true
      return leg.block.aggregates.length === 0 ? !atGrain && tuplesOf.some(isOf) : isOfAll(leg.block, isOf)
    })
  )
}

/** Whether each row of a block is one of these aggregates. */
const isOfAll = ({ aggregates }: BoundBlock, isOf: (name: string) => boolean): boolean =>
  aggregates.some((a) => isOf(a.name) && a.filter === undefined) || aggregates.every((a) => isOf(a.name))

interface Mark {
  readonly column: RowColumn
  /** The rows of the block that count; all if absent. */
  readonly filter: RowExpr | undefined
}

/** The rows of a window's measure at the periods with which it compares. */
interface Compared {
  readonly shift: Shift
  /** One if there is a row, otherwise NULL. */
  readonly has: RowExpr
}

/** Adds columns to blocks and inner queries, each once. */
class Marking {
  readonly #blocks = new Map<BoundLeg | BoundLookup, Map<string, Mark>>()
  readonly #nested = new Map<string, RowColumn>()
  readonly #tuples = new Map<string, BoundLeg>()
  readonly #further = new Map<string, BoundLookup>()
  readonly #names: RowColumn[]

  constructor(
    private readonly answer: Answer,
    names: ReadonlySet<string>,
    private readonly tuples: TuplesOf,
  ) {
    this.#names = [...names].map((name) => ({ name, type: INT }))
  }

  get columns(): readonly RowColumn[] {
    const ofBlocks = [...this.#blocks.values()].flatMap((marks) => [...marks.values()].map(({ column }) => column))
    return [...ofBlocks, ...this.#nested.values()]
  }

  get marked(): Pick<WithOwnRows, 'legs' | 'nested' | 'lookups'> {
    const withMarks = <T extends BoundLeg | BoundLookup>(one: T): T => ({
      ...one,
      block: [...(this.#blocks.get(one)?.values() ?? [])].reduce((block, mark) => marked(block, mark), one.block),
    })
    return {
      legs: [...this.answer.legs.map(({ leg }) => leg), ...this.#tuples.values()].map(withMarks),
      lookups: [...this.answer.lookups, ...this.#further.values()].map(withMarks),
      nested: this.answer.nested.map((one) => {
        const mark = this.#nested.get(one.name)
        return mark ? { ...one, mark } : one
      }),
    }
  }

  /** A new name for a column of the row set. */
  readonly free = (name: string): string => {
    const free = freeName(name, this.#names)
    this.#names.push({ name: free, type: INT })
    return free
  }

  /** One if a value of the step has a row, otherwise NULL. */
  rowsOf({ rowsOf }: WindowStep): RowExpr {
    const isOf = ({ name }: { readonly name: string }): boolean => rowsOf.includes(name)
    const { legs, nested } = this.answer
    const inner = nested.filter((one) => one.shift === undefined && isOf(one)).map(({ name }) => this.#markOfNested(name))
    const ofBlocks = legs.flatMap(({ leg }) => {
      const own = leg.block.aggregates.filter(isOf)
      if (own.length === 0) return []
      return isPlain(leg.block) ? [this.#markOf(leg, own)] : own.map(({ name }) => this.#markOfTuples(name))
    })
    const found = [...ofBlocks, ...inner]
    return anyMark(found.length > 0 ? found : rowsOf.map((name) => this.#markOfTuples(name)))
  }

  /** Whether values of the step have a row at the periods with which its measure compares, for each time. */
  comparedWith({ rowsComparedWith }: WindowStep): readonly Compared[] {
    const isOf = ({ name }: { readonly name: string }): boolean => rowsComparedWith.includes(name)
    const { lookups, nested } = this.answer
    const ofBlocks = lookups.flatMap((lookup) => {
      const { block } = lookup
      const own = block.aggregates.filter(isOf)
      if (!shiftOf(lookup) || !lookup.isWhole || own.length === 0) return []
      const marks = isPlain(block) ? [this.#markOf(lookup, own)] : own.map(({ name }) => this.#markOfTuplesAt(name, lookup))
      return marks.flatMap((mark) => markAt(lookup, column(mark)))
    })
    const inner = nested.flatMap((one) => (shiftOf(one) && isOf(one) ? markAt(one, column(this.#markOfNested(one.name))) : []))
    const all = [...ofBlocks, ...inner]
    const times = [...new Map(all.map(({ shift }) => [shift.dimension.name, shift])).values()]
    return times.map((shift) => ({
      shift,
      has: firstMark(all.flatMap((one) => (one.shift.dimension.name === shift.dimension.name ? [one.mark] : []))),
    }))
  }

  #markOfNested(name: string): RowColumn {
    const mark = this.#nested.get(name) ?? { name: this.free(`${name} (rows)`), type: INT }
    this.#nested.set(name, mark)
    return mark
  }

  #markOfTuples(aggregate: string): RowColumn {
    const known = this.answer.legs.find(({ tuplesOf }) => tuplesOf.includes(aggregate))?.leg ?? this.#tuples.get(aggregate)
    const leg = known ?? this.tuples(aggregate, false)
    if (!known) this.#tuples.set(aggregate, leg)
    return this.#markOf(leg, [])
  }

  #markOfTuplesAt(aggregate: string, { shift, rowsAt }: Elsewhere): RowColumn {
    const further = { block: this.tuples(aggregate, true).block, shift, rowsAt, isWhole: true, addsRows: false }
    const lookup = this.#further.get(aggregate) ?? further
    this.#further.set(aggregate, lookup)
    return this.#markOf(lookup, [])
  }

  /** The rows of these aggregates, or all rows of the block. */
  #markOf(of: BoundLeg | BoundLookup, aggregates: readonly BoundAggregate[]): RowColumn {
    const { base, aggregates: all } = of.block
    const filters = aggregates.flatMap(({ filter }) => filter ?? [])
    const isWhole = filters.length < aggregates.length || aggregates.length === all.length
    const key = isWhole ? '' : JSON.stringify(aggregates.map(({ name }) => name))
    const marks = this.#blocks.get(of) ?? new Map<string, Mark>()
    this.#blocks.set(of, marks)
    const name = isWhole ? base : aggregates.map((a) => a.name).join(', ')
    const mark = marks.get(key) ?? {
      column: { name: this.free(`${name} (rows)`), type: INT },
      filter: isWhole ? undefined : anyOf(unlike(filters)),
    }
    marks.set(key, mark)
    return mark.column
  }
}

/** The mark of the rows found elsewhere, in the rows of whose period they are found. */
function markAt(found: Elsewhere, mark: RowExpr): readonly { readonly shift: Shift; readonly mark: RowExpr }[] {
  const shift = shiftOf(found)
  return shift ? [{ shift, mark: onlyWhere(isOwnRow(found), mark) }] : []
}

const anyMark = (marks: readonly RowColumn[]): RowExpr => firstMark(marks.map((mark) => column(mark)))

/** The first of the marks that is not NULL. */
function firstMark([first, ...others]: readonly RowExpr[]): RowExpr {
  return others.length === 0 ? first! : coalesce<RelationColumn>(first!, ...others)
}

/** Its rows are aggregated once, without weights, so that the greatest of a constant shows whether there is one. */
const isPlain = ({ semiAdditive, weight, from }: BoundBlock): boolean =>
  semiAdditive === undefined && weight === undefined && from.facts === undefined

function marked(block: BoundBlock, { column, filter }: Mark): BoundBlock {
  const aggregate: BoundAggregate = {
    ...column,
    aggregate: 'max',
    distinct: false,
    args: [{ expression: integer(1), type: INT }],
    orderBy: [],
    percentile: undefined,
    delimiter: undefined,
    filter,
  }
  return { ...block, aggregates: [...block.aggregates, aggregate], values: [...block.values, { ...column, emptyIsZero: false }] }
}

/** Whether the gaps of the answer are those of the measure of a window alone. */
const hasGapsOf = (range: Fill['range'], { gaps }: WindowStep): boolean => {
  const ends = (of: typeof gaps) => [of?.from, of?.to, of?.reached.from, of?.reached.to]
  const own = ends(gaps)
  return ends(range).every((end, i) => end === own[i])
}

interface Level {
  readonly fill: Fill | undefined
  readonly weekStart: WeekStart
  readonly dimensions: readonly ResolvedDimension[]
  readonly free: (name: string) => string
}

type OverRows = Pick<WindowStep, 'function' | 'type' | 'args' | 'partitionBy'>
const lastBefore = (to: Micros | undefined): Micros | undefined => (to === undefined ? undefined : to - 1n)

/** The rows that a window sees, and the steps that find them. `has` is one in its own rows, otherwise NULL. */
class SeenRows {
  readonly steps: MetricStep[] = []
  #span: RowExpr | undefined

  constructor(
    private readonly step: WindowStep,
    private readonly level: Level,
  ) {}

  /** With the rows of the compared periods, at the times that the window's measure shows. */
  withCompared(has: RowExpr, compared: readonly Compared[]): RowExpr {
    if (compared.length === 0) return has
    const { fill, dimensions } = this.level
    const there = compared.map((one) => {
      const times = dimensions.filter((d) => isOfTime(d, one.shift))
      const isShown =
        fill && hasDimension(times, fill.time)
          ? this.#between(has, fill)
          : isNotNull(this.#over('time', { function: 'max', type: INT, args: [has], partitionBy: times.map(column) }))
      return both([isNotNull(one.has), isShown])
    })
    return this.#expression('compared rows', either([isNotNull(has), ...there]))
  }

  /** The window over its own rows and, if gaps are filled, over the periods that would be added for them. */
  within(own: RowExpr): readonly WindowStep[] {
    const { fill } = this.level
    const has = fill ? this.#withGaps(own, fill) : own
    return [{ ...this.step, partitionBy: [...this.step.partitionBy, has], where: isNotNull(has) }]
  }

  #withGaps(has: RowExpr, fill: Fill): RowExpr {
    const { time, siblingGrains } = fill
    const at = column(time)
    const others = this.level.dimensions.filter((d) => !isOfTime(d, fill)).map(column)
    const ofTuple = this.#over('tuple', { function: 'max', type: INT, args: [has], partitionBy: others })
    // A week can be in two months: it is added in that of its first day, and only if it is in none.
    const grains = siblingGrains.filter((d) => d.grain !== undefined)
    const ofPeriod =
      isAstride(fill) && this.#over('period', { function: 'max', type: INT, args: [has], partitionBy: [at, ...others] })
    const inFirst = grains.map((d): RowExpr => binary('=', column(d), truncated(d.grain!, at)))
    // Without other dimensions, a period of the range needs no row.
    const hasTuple = fill.range && others.length === 0 ? [] : [isNotNull(ofTuple)]
    const isAdded = both([this.#between(has, fill), ...hasTuple, ...(ofPeriod ? [isNull(ofPeriod), ...inFirst] : [])])
    return this.#expression('rows', either([isNotNull(has), isAdded]))
  }

  /** From the first to the last period of the own rows, or of the range of its measure. */
  #between(has: RowExpr, fill: Fill): RowExpr {
    const { time } = fill
    const at = column(time)
    const own = { type: time.type, args: [onlyWhere(isNotNull(has), at)], partitionBy: [] }
    this.#span ??= both([
      binary('>=', at, this.#end(fill, 'first') ?? this.#reached(fill, 'first', { ...own, function: 'min' })),
      binary('<=', at, this.#end(fill, 'last') ?? this.#reached(fill, 'last', { ...own, function: 'max' })),
    ])
    return this.#span
  }

  #end({ time, range }: Fill, end: 'first' | 'last'): RowExpr | undefined {
    // Days of a calendar are ends of all periods, so that each is between them.
    if (range && range.named.length > 0) return column(time)
    const { from, to } = this.step.gaps ?? {}
    const edge = this.#periodOf(end === 'first' ? from : lastBefore(to), time)
    return edge === undefined ? undefined : timeLiteral<RelationColumn>(edge, time.type)
  }

  /** The end of the own rows, or a period further out to which parts of its measure have a range. */
  #reached({ time }: Fill, end: 'first' | 'last', ofRows: OverRows): RowExpr {
    const { from, to } = this.step.gaps?.reached ?? {}
    const [edge, operator] = end === 'first' ? ([from, '<'] as const) : ([lastBefore(to), '>'] as const)
    return furtherOut(this.#over(`${end} period`, ofRows), this.#periodOf(edge, time), operator, time.type)
  }

  #periodOf(at: Micros | undefined, { grain }: ResolvedDimension): Micros | undefined {
    return at === undefined ? undefined : floor(at, grain!, this.level.weekStart)
  }

  #over(name: string, of: OverRows): RowExpr {
    const { path } = this.step
    const made: WindowStep = {
      ...of,
      kind: 'window',
      name: this.#name(name),
      path,
      orderBy: [],
      rowsOf: [],
      rowsComparedWith: [],
      addsRows: false,
    }
    this.steps.push(made)
    return column(made)
  }

  #expression(name: string, when: RowExpr): RowExpr {
    const expression: RowExpr = { kind: 'case', branches: [{ when, then: integer(1) }], otherwise: undefined }
    const made: MetricStep = { kind: 'expression', name: this.#name(name), type: INT, path: this.step.path, expression }
    this.steps.push(made)
    return column(made)
  }

  #name(name: string): string {
    return this.level.free(`${this.step.name} (${name})`)
  }
}

const column = ({ name, type }: RowColumn): RowExpr => relationColumn('', name, type)
const both = (terms: readonly RowExpr[]): RowExpr => allOf<RelationColumn>(terms)!
const either = (terms: readonly RowExpr[]): RowExpr => anyOf<RelationColumn>(terms)
