import { entryOf, lastOf } from '../invariant.js'
import { type DataType, FLOAT, INT } from '../model/data-type.js'
import type { Grain } from '../model/grain.js'
import type { AggregateMetric, CumulativeMetric, Metric } from '../model/semantic-model.js'
import { type Ask, levelOf, modifiedKey } from './aggregate-set.js'
import { dimensionOutput } from './dimension-output.js'
import { declaredDimension } from './fields.js'
import { fillAt } from './fill.js'
import { isFiner } from './finer-window.js'
import type { Modifier } from './modifiers.js'
import { inPeriods } from './periods.js'
import { type RowExpr, relationColumn } from './relation-column.js'
import {
  type AggregateQuery,
  type Conjunct,
  type Fold,
  hasDimension,
  type Nested,
  nameOfDimension,
  type Output,
  type PeriodWindow,
  type ResolvedDimension,
  type RowField,
  type Shift,
} from './resolved-query.js'
import { type Change, conditionsUnder } from './row-conditions.js'
import type { RowSetContext } from './row-set-context.js'
import { shownAtOtherTimes } from './shown-tuples.js'
import { sortColumnsOf } from './sort-columns.js'

interface Inner extends Pick<AggregateQuery, 'dimensions' | 'over' | 'fill'>, Partial<Pick<RowSetContext, 'moved'>> {
  /** What the query outside means for the conditions of its aggregates; they are those of the query if absent. */
  readonly under?: Change | undefined
  /** Whether running values in it see the gaps that the query fills. */
  readonly seesGaps?: boolean
}
interface Value {
  readonly expression: RowExpr
  readonly type: DataType
}

/** Where the first rows of a base are looked for. */
export interface FirstRows {
  readonly modifier: Modifier
  readonly dimensions: readonly ResolvedDimension[]
  readonly time: ResolvedDimension
  readonly grain: Grain
  readonly under: Change
}

/** Reads the fields of an inner query, and collects the aggregates and steps that this needs. */
export interface InnerRows extends Pick<AggregateQuery, 'aggregates' | 'steps' | 'folds' | 'nested'> {
  field(name: string, contributesRows: boolean, path: string, modifier?: Modifier): Value | undefined
}

/** The inner queries of a query, each once: bases that are evaluated per period or per group before their values are joined to the rows. */
export class InnerQueries {
  readonly #folds = new Map<string, Fold>()
  readonly #nested = new Map<string, Nested>()
  readonly #contributing = new Set<string>()
  /** Those whose rows are no rows of the answer, whatever asks for them. */
  readonly #silent = new Set<string>()

  constructor(
    private readonly context: RowSetContext,
    private readonly rowsOf: (context: RowSetContext) => InnerRows,
  ) {}

  get folds(): Fold[] {
    return [...this.#folds.values()]
  }

  get nested(): Nested[] {
    return [...this.#nested].map(([key, nested]) => ({
      ...nested,
      contributesRows: this.#contributing.has(key) && !this.#silent.has(key),
    }))
  }

  /** The base per period and partition, to be aggregated over each row's window. */
  fold(
    metric: CumulativeMetric,
    aggregate: Fold['aggregate'],
    modifier: Modifier & { readonly window: PeriodWindow },
    path: string,
  ): Fold {
    const { key, label, window } = modifier
    const { columnName, inner: shared } = this.context
    const { name, measure } = metric
    const dimensions = [window.period, ...window.partition]
    // If gaps are filled, a missing period of a partition is a period of the window; shorter periods than those of the rows are not filled.
    const isFilled = shared.fill !== undefined && !isFiner(metric, window.time.grain ?? 'day')
    const fill = isFilled ? { time: window.period, siblingGrains: [], perTuple: true } : undefined
    const inner = { dimensions, under: modifier, over: undefined, fill }
    const query = this.#query(inner, `${name} (per period)`, (rows) => rows.field(measure, true, path)!)
    const type = foldType(aggregate, lastOf(query.outputs).type)
    const fold = {
      name: columnName(`fold ${key}`, label === 'running' ? `${name} (folded)` : `${name} (${label}, folded)`),
      type,
      aggregate,
      window,
      query,
    }
    this.#folds.set(key, fold)
    return fold
  }

  /** A metric at all periods, to be looked up at another one. */
  prior(
    metric: Metric,
    modifier: Modifier & { readonly shift: Shift },
    { contributesRows, path }: Omit<Ask, 'modifier'>,
  ): Nested {
    return this.#once(metric, modifier, contributesRows, () => {
      const dimensions = levelOf(this.context.dimensions, modifier)
      // The prior of a running value exists in an added period, with the value that is shown there.
      const fill = fillAt(this.context.inner.fill, dimensions, this.context.graph)
      const inner = { dimensions, under: modifier, moved: this.#moved(modifier), over: undefined, fill }
      const query = this.#query(inner, `${metric.name} (at all periods)`, (rows) => rows.field(metric.name, true, path)!)
      const { type } = lastOf(query.outputs)
      return { type, query, dimensions, aggregate: undefined, emptyIsZero: false, shift: modifier.shift, window: undefined, path }
    })
  }

  /**
   * The base per group within each row, to be aggregated there. With a window, over the rows of each row's window; with a shift, at the
   * prior period.
   */
  groups(metric: AggregateMetric, { contributesRows, path, modifier }: Ask): Nested {
    return this.#once(metric, modifier, contributesRows, () => {
      const { window: outer, shift } = modifier ?? {}
      const dimensions = outer ? [outer.time, ...outer.partition, ...outer.groupBy] : levelOf(this.context.dimensions, modifier)
      // Besides the time of the window, or of the lookup, the rows have their own time.
      const isTime = (d: ResolvedDimension): boolean => d === outer?.time || (d === shift?.dimension && d !== shift.period)
      const groups = metric.per.flatMap((name) => this.#groupDimensions(name, path))
      // An aggregate of an aggregate has its own time once.
      const groupBy = groups.map((d) => (isTime(d) ? this.#ownTime(d) : d)).filter((d) => !hasDimension(dimensions, d))
      const over = outer && { ...outer, groupBy: [...outer.groupBy, ...groupBy] }
      const inWindow = outer && modifier && { ...modifier, key: `${modifier.key} in ${metric.name}`, window: over }
      const within = modifier?.ranged ? ofInnerRows(modifier) : inWindow
      const under = within ? undefined : modifier
      // The groups are those of rows: an added period has none.
      const inner = { dimensions: [...dimensions, ...groupBy], under, over, fill: undefined, seesGaps: false }
      const query = this.#query(inner, `${metric.name} (per group)`, (rows) => rows.field(metric.measure, true, path, within)!)
      const spec = entryOf(this.context.aggregates, metric.aggregation)
      return {
        type: spec.result([lastOf(query.outputs).type]),
        query,
        dimensions,
        aggregate: metric.aggregation,
        // An absent period has no value, for counts too.
        emptyIsZero: spec.empty === 'zero' && shift === undefined && modifier?.ranged?.isMoved !== true,
        ...(spec.empty === 'zero' && modifier?.ranged?.isMoved && { emptyIsNull: true }),
        shift,
        ...(modifier?.ranged?.at && { rowsAt: modifier.ranged.at }),
        window: outer,
        path,
      }
    })
  }

  /** The base per period of a known window, to be aggregated in each row of a level that does not show the time. */
  foldInRange(metric: CumulativeMetric, aggregate: Fold['aggregate'], { contributesRows, path, modifier }: Ask): Nested {
    return this.#once(metric, modifier, contributesRows, () => {
      const dimensions = levelOf(this.context.dimensions, modifier)
      const { time, level } = modifier!.times!
      const grain = (isFiner(metric, level.grain) ? metric.windowGrain : (level.grain ?? metric.windowGrain))!
      const period = {
        ...inPeriods({ ...time, grain: undefined }, grain),
        top: undefined,
        name: this.context.columnName(`period ${metric.name}`, time.label),
      }
      const inner = { dimensions: [...dimensions, period], over: undefined, fill: undefined }
      const query = this.#query(
        inner,
        `${metric.name} (per period)`,
        (rows) => rows.field(metric.measure, true, path, ofInnerRows(modifier!))!,
      )
      const type = foldType(aggregate, lastOf(query.outputs).type)
      if (modifier!.ranged?.isShared || !hasOwnRows(query)) this.#silent.add(modifiedKey(metric.name, modifier))
      return { type, query, dimensions, aggregate, emptyIsZero: aggregate === 'count', shift: undefined, window: undefined, path }
    })
  }

  /** The first period in which the base has rows, under the conditions of the query that are on no time of the metric. */
  firstPeriod(
    { name, measure }: CumulativeMetric,
    { modifier, dimensions, time, grain, under }: FirstRows,
    path: string,
  ): Nested {
    const ofFirst = { ...modifier, key: `${modifier.key} first`, label: `${modifier.label}, first` }
    return this.#once({ name }, ofFirst, false, () => {
      const period = {
        ...inPeriods({ ...time, grain: undefined }, grain),
        top: undefined,
        name: this.context.columnName(`first ${name} ${modifier.key}`, time.label),
      }
      const inner = { dimensions: [...dimensions, period], under, over: undefined, fill: undefined }
      const query = this.#query(inner, `${name} (first period)`, (rows) => {
        rows.field(measure, true, path)
        return { type: period.type, expression: relationColumn('', period.name, period.type) }
      })
      const { type } = period
      return { type, query, dimensions, aggregate: 'min', emptyIsZero: false, shift: undefined, window: undefined, path }
    })
  }

  #moved(modifier: Modifier): RowSetContext['moved'] {
    const { where } = this.context
    const { past, moves } = this.context.moved ?? { past: [], moves: [] }
    const kept = this.#underAll(modifier, where)
    const removed = where.filter((conjunct) => !kept.includes(conjunct) && !conjunct.shown)
    return { past: [...past, ...removed], moves: [...moves, ...(modifier.times?.moves ?? [])] }
  }

  /** The conditions of all rows after a modifier. */
  readonly #underAll = (change: Change, where: readonly Conjunct[]): readonly Conjunct[] =>
    shownAtOtherTimes(change.conjuncts(where), change, this.context.graph)

  /** A dimension of groups: as it is selected, at any grains; otherwise as it is declared. */
  #groupDimensions(name: string, path: string): readonly ResolvedDimension[] {
    const { dimensions, absent, outerDimensions, graph, columnName } = this.context
    const selected = [...dimensions, ...absent, ...outerDimensions].filter((d) => nameOfDimension(d) === name)
    if (selected.length > 0) return distinct(selected.map((d) => (d.top ? this.#allOf(d) : d)))
    return [{ ...declaredDimension(name, graph.model, path), name: columnName(`group ${name}`, name) }]
  }

  /** Within the group of all but the top values, each of these is a separate group. */
  #allOf(dimension: ResolvedDimension): ResolvedDimension {
    const { label } = dimension
    return { ...dimension, top: undefined, name: this.context.columnName(`all of ${label}`, label) }
  }

  #ownTime(time: ResolvedDimension): ResolvedDimension {
    return { ...time, name: this.context.columnName(`own ${time.name}`, `${time.name} (own)`) }
  }

  #once(
    { name }: Pick<Metric, 'name'>,
    modifier: Modifier | undefined,
    contributesRows: boolean,
    make: () => Omit<Nested, 'name' | 'contributesRows'>,
  ): Nested {
    const key = modifiedKey(name, modifier)
    if (contributesRows) this.#contributing.add(key)
    const known = this.#nested.get(key)
    if (known) return known
    const label = modifier ? `${name} (${modifier.label}, found)` : `${name} (found)`
    const made = { ...make(), name: this.context.columnName(`nested ${key}`, label), contributesRows }
    this.#nested.set(key, made)
    return made
  }

  #query(
    { dimensions, under, moved = this.context.moved, over, fill, seesGaps = true }: Inner,
    label: string,
    read: (rows: InnerRows) => Value,
  ): AggregateQuery {
    const { dimensions: all, absent, outerDimensions, columnName } = this.context
    const isOther = (d: ResolvedDimension): boolean => !dimensions.some((kept) => kept.name === d.name)
    const others = { absent: absent.filter(isOther), outerDimensions: [...all, ...outerDimensions].filter(isOther) }
    const conditions = under ? conditionsUnder(this.context.conditions, under) : this.context.conditions
    const where = conditions({ seen: (all) => all, under: this.#underAll })
    const inner = seesGaps ? this.context.inner : { ...this.context.inner, fill: undefined }
    const rows = this.rowsOf({ ...this.context, ...others, inner, dimensions, where, conditions, moved })
    const value = read(rows)
    const { aggregates, steps, folds, nested } = rows
    const outputs = innerOutputs(dimensions, value, columnName(`inner ${label}`, label))
    const sorts = sortColumnsOf(dimensions, this.context)
    return { dimensions, aggregates, steps, folds, nested, sorts, over, outputs, ...this.context.inner, where, fill }
  }
}

const distinct = (dimensions: readonly ResolvedDimension[]): readonly ResolvedDimension[] =>
  dimensions.filter((d, i) => dimensions.findIndex((other) => other.name === d.name) === i)

/** Whether an inner query adds rows: values at a coarser grain are only looked up for existing rows. */
const hasOwnRows = ({ aggregates, nested, dimensions }: Pick<AggregateQuery, 'aggregates' | 'nested' | 'dimensions'>): boolean =>
  nested.length > 0 || aggregates.some((aggregate) => aggregate.dimensions.length === dimensions.length)

/** The rows of an inner query are those in the range, whatever is compared with them. */
const ofInnerRows = ({ ranged, ...modifier }: Modifier): Modifier => ({
  ...modifier,
  ranged: ranged && { ...ranged, at: undefined, isInner: true },
})

/** The result type of aggregating values of a type. */
export function foldType(aggregate: Fold['aggregate'], type: DataType): DataType {
  if (aggregate === 'count') return INT
  return aggregate === 'avg' ? FLOAT : type
}

/** Columns of an inner query: its dimensions by their names, then the value. */
function innerOutputs(
  dimensions: readonly ResolvedDimension[],
  { type, expression }: Pick<RowField, 'type' | 'expression'>,
  name: string,
): Output[] {
  const value: Output = { name, role: 'measure', type, expression, displayAs: undefined, format: undefined }
  return [...dimensions.map((d) => ({ ...dimensionOutput(d), name: d.name })), value]
}
