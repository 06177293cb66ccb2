import { INT } from '../model/data-type.js'
import { freeName } from '../resolve/aliases.js'
import { allOf, anyOf, binary, coalesce, integer, isNotNull, isNull, onlyWhere } from '../resolve/expressions.js'
import { truncated } from '../resolve/grain-expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import {
  type AggregateQuery,
  type Fill,
  hasDimension,
  isDimension,
  type MetricStep,
  type ResolvedDimension,
  type WindowStep,
} from '../resolve/resolved-query.js'
import { unlike } from '../same.js'
import type { BoundAggregate, BoundBlock, RowColumn } from './bound-block.js'
import type { BoundLeg, BoundNested } from './bound-query.js'

/** A block that creates rows or provides values, and the coarser aggregates whose tuples it has. */
export interface LegOf {
  readonly leg: BoundLeg
  readonly tuplesOf: readonly string[]
}

interface Answer {
  readonly legs: readonly LegOf[]
  /** Inner queries that create rows or provide values. */
  readonly nested: readonly BoundNested[]
}

/** The rows of an answer with columns that show where a value has a row, and the steps that read them. */
export interface WithOwnRows {
  readonly legs: readonly BoundLeg[]
  readonly nested: readonly BoundNested[]
  readonly steps: readonly MetricStep[]
  readonly marks: readonly RowColumn[]
}

/**
 * Restricts each window to the rows in which its own measure has a row: what else the query selects may add rows, and these change no rank.
 * A window that sees every row of the answer anyway stays as it is. `tuples` is a block with the tuples of an aggregate's rows.
 */
export function withOwnRows(answer: Answer, query: AggregateQuery, tuples: (aggregate: string) => BoundLeg): WithOwnRows {
  const { dimensions, steps, fill } = query
  const isSeenWhole = (step: WindowStep): boolean => dimensions.length === 0 || isEveryRow(answer, step)
  const marking = new Marking(answer, query.columnNames, tuples)
  const restricted = steps.flatMap((step) => {
    if (step.kind !== 'window' || isSeenWhole(step)) return [step]
    const has = marking.rowsOf(step)
    return fill ? withinGaps(step, has, { fill, dimensions, free: marking.free }) : [within(step, has)]
  })
  return { ...marking.marked, steps: restricted, marks: marking.columns }
}

/** Whether each row of the answer is a row of a value of the step. */
function isEveryRow({ legs, nested }: Answer, { rowsOf }: WindowStep): boolean {
  const isOf = (name: string): boolean => rowsOf.includes(name)
  const atGrain = [...legs.flatMap(({ leg }) => leg.block.aggregates), ...nested].some(({ name }) => isOf(name))
  return (
    nested.every((one) => !one.contributesRows || isOf(one.name)) &&
    legs.every(({ leg, tuplesOf }) => {
      const { aggregates } = leg.block
      if (!leg.contributesRows) return true
      if (aggregates.length === 0) return !atGrain && tuplesOf.some(isOf)
      return aggregates.some((a) => isOf(a.name) && a.filter === undefined) || aggregates.every((a) => isOf(a.name))
    })
  )
}

interface Mark {
  readonly column: RowColumn
  /** The rows of the block that count; all if absent. */
  readonly filter: RowExpr | undefined
}

/** Adds columns to blocks and inner queries, each once. */
class Marking {
  readonly #blocks = new Map<BoundLeg, Map<string, Mark>>()
  readonly #nested = new Map<string, RowColumn>()
  readonly #tuples = new Map<string, BoundLeg>()
  readonly #names: RowColumn[]

  constructor(
    private readonly answer: Answer,
    names: ReadonlySet<string>,
    private readonly tuples: (aggregate: string) => BoundLeg,
  ) {
    this.#names = [...names].map((name) => ({ name, type: INT }))
  }

  get columns(): readonly RowColumn[] {
    const ofBlocks = [...this.#blocks.values()].flatMap((marks) => [...marks.values()].map(({ column }) => column))
    return [...ofBlocks, ...this.#nested.values()]
  }

  get marked(): Pick<WithOwnRows, 'legs' | 'nested'> {
    const withMarks = (leg: BoundLeg): BoundLeg => ({
      ...leg,
      block: [...(this.#blocks.get(leg)?.values() ?? [])].reduce((block, mark) => marked(block, mark), leg.block),
    })
    return {
      legs: [...this.answer.legs.map(({ leg }) => leg), ...this.#tuples.values()].map(withMarks),
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
    const inner = nested.filter(isOf).map(({ name }) => this.#markOfNested(name))
    const blocks = legs.filter(({ leg }) => leg.block.aggregates.some(isOf))
    const ofBlocks = blocks.flatMap(({ leg }) => {
      const own = leg.block.aggregates.filter(isOf)
      return isPlain(leg.block) ? [this.#markOf(leg, own)] : own.map(({ name }) => this.#markOfTuples(name))
    })
    const found = [...ofBlocks, ...inner]
    const all = found.length > 0 ? found : rowsOf.map((name) => this.#markOfTuples(name))
    const [only, ...others] = all.map(({ name, type }): RowExpr => relationColumn('', name, type))
    return others.length === 0 ? only! : coalesce<RelationColumn>(only!, ...others)
  }

  #markOfNested(name: string): RowColumn {
    const mark = this.#nested.get(name) ?? { name: this.free(`${name} (rows)`), type: INT }
    this.#nested.set(name, mark)
    return mark
  }

  #markOfTuples(aggregate: string): RowColumn {
    const known = this.answer.legs.find(({ tuplesOf }) => tuplesOf.includes(aggregate))?.leg ?? this.#tuples.get(aggregate)
    const leg = known ?? this.tuples(aggregate)
    if (!known) this.#tuples.set(aggregate, leg)
    return this.#markOf(leg, [])
  }

  /** The rows of these aggregates, or all rows of the block. */
  #markOf(leg: BoundLeg, aggregates: readonly BoundAggregate[]): RowColumn {
    const { base, aggregates: all } = leg.block
    const filters = aggregates.flatMap(({ filter }) => filter ?? [])
    const isWhole = filters.length < aggregates.length || aggregates.length === all.length
    const key = isWhole ? '' : JSON.stringify(aggregates.map(({ name }) => name))
    const marks = this.#blocks.get(leg) ?? new Map<string, Mark>()
    this.#blocks.set(leg, marks)
    const name = isWhole ? base : aggregates.map((a) => a.name).join(', ')
    const mark = marks.get(key) ?? {
      column: { name: this.free(`${name} (rows)`), type: INT },
      filter: isWhole ? undefined : anyOf(unlike(filters)),
    }
    marks.set(key, mark)
    return mark.column
  }
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

const within = (step: WindowStep, has: RowExpr): WindowStep => ({
  ...step,
  partitionBy: [...step.partitionBy, has],
  where: isNotNull(has),
})

interface Gaps {
  readonly fill: Fill
  readonly dimensions: readonly ResolvedDimension[]
  readonly free: (name: string) => string
}

/**
 * The window with the steps before it: it also sees the added periods from the first to the last of its own rows, for the tuples of the
 * other dimensions that these rows have.
 */
function withinGaps(step: WindowStep, has: RowExpr, { fill, dimensions, free }: Gaps): readonly MetricStep[] {
  const { time, siblingGrains } = fill
  const at = column(time)
  const others = dimensions.filter((d) => !isDimension(d, time) && !hasDimension(siblingGrains, d)).map(column)
  const over = (name: string, ofWhat: Pick<WindowStep, 'function' | 'type' | 'args' | 'partitionBy'>): WindowStep => ({
    kind: 'window',
    name: free(`${step.name} (${name})`),
    path: step.path,
    orderBy: [],
    rowsOf: [],
    ...ofWhat,
  })
  const ofOwn = { type: time.type, args: [onlyWhere(isNotNull(has), at)], partitionBy: [] }
  const first = over('first period', { ...ofOwn, function: 'min' })
  const last = over('last period', { ...ofOwn, function: 'max' })
  const tuple = over('tuple', { type: INT, args: [has], partitionBy: others, function: 'max' })
  // A week can be in two months: it is added in that of its first day, and only if it is in none.
  const isAstride = time.grain === 'week' && siblingGrains.length > 0
  const period = over('period', { type: INT, args: [has], partitionBy: [at, ...others], function: 'max' })
  const isAdded = allOf<RelationColumn>([
    binary('>=', at, read(first)),
    binary('<=', at, read(last)),
    isNotNull(read(tuple)),
    ...(isAstride ? [isNull(read(period)), ...siblingGrains.map((d) => binary('=', column(d), truncated(d.grain!, at)))] : []),
  ])!
  const isOwn: RowExpr = {
    kind: 'case',
    branches: [{ when: anyOf([isNotNull(has), isAdded]), then: integer(1) }],
    otherwise: undefined,
  }
  const seen: MetricStep = {
    kind: 'expression',
    name: free(`${step.name} (rows)`),
    type: INT,
    path: step.path,
    expression: isOwn,
  }
  return [first, last, tuple, ...(isAstride ? [period] : []), seen, within(step, read(seen))]
}

const column = ({ name, type }: RowColumn): RowExpr => relationColumn('', name, type)
const read = column
