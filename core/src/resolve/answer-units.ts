/** The units of the columns of an answer, and the values in which several units may be added up. */
import { type Finding, fail, warning } from '../errors.js'
import { lastOf } from '../invariant.js'
import type { ColumnRef, Expr } from '../model/expression/ast.js'
import type { GivenValue } from '../model/parameter.js'
import { unitsOfModel } from '../model/unit/model-units.js'
import { mapSymbols, type Unit, unitText } from '../model/unit/unit.js'
import { needsOneUnit, unitOfAggregate } from '../model/unit/unit-of-aggregate.js'
import { unitOfExpression } from '../model/unit/unit-of-expression.js'
import { BY_CONDITION, type FixedContext } from './fixed-columns.js'
import { type Mixed, mixedMessage } from './mixed-units.js'
import type { RelationColumn, RowExpr } from './relation-column.js'
import type {
  AggregateQuery,
  Fold,
  MetricStep,
  Nested,
  Output,
  ResolvedDimension,
  ResolvedQuery,
  ResolveOptions,
  WindowStep,
} from './resolved-query.js'
import { AggregateUnits, type RowSymbol } from './unit-of-rows.js'

/** What units need besides the query. */
export interface UnitCatalogue extends Pick<ResolveOptions, 'functions' | 'aggregates'> {
  /** The values of the parameters. */
  readonly values: ReadonlyMap<string, GivenValue>
}

export interface AnswerUnits {
  /** By the name of a column of the answer. In `{Currency}`, the column of that name has the unit of each row. */
  readonly units: ReadonlyMap<string, string>
  readonly warnings: readonly Finding[]
}

type RowUnit = Unit<RowSymbol>

const NONE: AnswerUnits = { units: new Map(), warnings: [] }

/** Throws `MIXED_UNITS` if the model is strict. */
export function answerUnits(query: ResolvedQuery, catalogue: UnitCatalogue): AnswerUnits {
  const { model } = query
  if (unitsOfModel(model).isEmpty) return NONE
  const warnings: Finding[] = []
  const mixed: Mixed = (what, path) => {
    const message = mixedMessage(what, model)
    if (model.settings.strictUnits) fail('MIXED_UNITS', message, { path })
    if (!warnings.some((known) => known.message === message)) warnings.push(warning('MIXED_UNITS', message, { path }))
  }
  const found = unitsOfKind(query, new RowUnits({ ...catalogue, model, time: query.time, graph: query.graph }, mixed))
  if (query.top) new RowUnits({ ...catalogue, model, time: query.time, graph: query.graph }, mixed).of(query.top)
  return { units: found, warnings }
}

function unitsOfKind(query: ResolvedQuery, rows: RowUnits): ReadonlyMap<string, string> {
  switch (query.kind) {
    case 'aggregate':
      return rows.outputs(query)
    case 'grouped': {
      const [detail, ...others] = query.levels.map((level) => rows.outputs(level))
      // A coarser level has the unit of the detail, or none: its rows have no value in the column that names it.
      const isShared = ([name, unit]: readonly [string, string]): boolean =>
        unit.includes('{') || others.every((level) => level.get(name) === unit)
      return new Map([...(detail ?? [])].filter(isShared))
    }
    case 'raw':
      return rows.rawOutputs(query)
    default:
      return new Map()
  }
}

class RowUnits {
  readonly #context: FixedContext & UnitCatalogue
  readonly #aggregates: AggregateUnits

  constructor(
    context: FixedContext & UnitCatalogue,
    private readonly mixed: Mixed,
  ) {
    this.#context = context
    this.#aggregates = new AggregateUnits(context, mixed, (query) => this.lastOf(query))
  }

  outputs(query: AggregateQuery): ReadonlyMap<string, string> {
    const units = this.of(query)
    return textsOf(
      query.outputs.map((output) => [output, this.#ofOutput(output, units, query)] as const),
      query.dimensions,
    )
  }

  rawOutputs({ fields, outputs }: ResolvedQuery & { readonly kind: 'raw' }): ReadonlyMap<string, string> {
    const dimensions = fields.map(({ column }, i) => ({ column, label: outputs[i]?.name ?? '' }))
    return new Map(
      dimensions.flatMap(({ column, label }) => {
        const text = this.#textOfColumn(column, dimensions)
        return text ? [[label, text] as const] : []
      }),
    )
  }

  /** The unit of the last output of an inner query. */
  lastOf(query: AggregateQuery): RowUnit | undefined {
    return this.#ofOutput(lastOf(query.outputs), this.of(query), query)
  }

  /** The units of the columns of a row set, by name. */
  of(query: AggregateQuery): ReadonlyMap<string, RowUnit> {
    const units = new Map<string, RowUnit>()
    const put = (name: string, unit: RowUnit | undefined): void => void (unit && units.set(name, unit))
    for (const aggregate of query.aggregates) put(aggregate.name, this.#aggregates.of(aggregate))
    for (const nested of query.nested) put(nested.name, this.#ofNested(nested))
    for (const fold of query.folds) put(fold.name, this.#ofFold(fold))
    for (const step of query.steps) put(step.name, this.#ofStep(step, units, query))
    return units
  }

  #ofOutput({ name, expression, role }: Output, units: ReadonlyMap<string, RowUnit>, query: AggregateQuery): RowUnit | undefined {
    if (role === 'dimension')
      return this.#ofDimension(
        query.dimensions.find(({ label }) => label === name),
        query.dimensions,
      )
    return this.#ofExpression(expression, units, { name, path: '', by: query.dimensions })
  }

  #ofExpression(
    expression: RowExpr,
    units: ReadonlyMap<string, RowUnit>,
    { name, path, by }: { readonly name: string; readonly path: string; readonly by: readonly ResolvedDimension[] },
  ): RowUnit | undefined {
    let differs = false
    const { unit } = unitOfExpression<RelationColumn, RowSymbol>(expression, {
      ofLeaf: (leaf) => ({ unit: units.get(leaf.name), isScaled: false }),
      ofParameter: (parameter) => ({
        unit: this.#context.model.parameters.get(parameter)?.unit as RowUnit | undefined,
        isScaled: false,
      }),
      differ: () => {
        differs = true
      },
    })
    if (!differs) return unit
    this.mixed({ name, column: undefined, by, does: 'combines' }, path)
    return undefined
  }

  #ofStep(step: MetricStep, units: ReadonlyMap<string, RowUnit>, { dimensions }: AggregateQuery): RowUnit | undefined {
    const { name, path, unit: declared } = step
    const derived =
      step.kind === 'window'
        ? this.#ofWindow(step, units, dimensions)
        : this.#ofExpression(step.expression, units, { name, path, by: dimensions })
    return declared ? this.#aggregates.settled(declared) : derived
  }

  /** A value of another row has the unit of this one only within a partition that has one unit. */
  #ofWindow(
    step: WindowStep,
    units: ReadonlyMap<string, RowUnit>,
    dimensions: readonly ResolvedDimension[],
  ): RowUnit | undefined {
    const { name, path, args, orderBy, partitionBy } = step
    const partition = dimensions.filter((d) => partitionBy.some((key) => isColumn(key, d.name)))
    const value = VALUES.has(step.function) ? args[0] : undefined
    const compared = orderBy[0]?.expression
    const unitIn = (expression: RowExpr | undefined): RowUnit | undefined =>
      expression && this.#ofExpression(expression, units, { name, path, by: dimensions })
    const read = [unitIn(value), unitIn(compared)]
    const loose = read.flatMap((unit) => unit ?? []).find(({ of }) => !isWithin(of, partition))
    if (loose) this.mixed({ name, column: undefined, by: partition, does: 'compares' }, path)
    return loose ? undefined : read[0]
  }

  #ofNested({ query, aggregate, dimensions, path }: Nested): RowUnit | undefined {
    const inner = this.lastOf(query)
    return aggregate === undefined ? inner : this.#folded(inner, aggregate, { query, dimensions, path })
  }

  #ofFold({ query, aggregate, window, name }: Fold): RowUnit | undefined {
    return this.#folded(this.lastOf(query), aggregate, { query, dimensions: window.partition, path: '', name })
  }

  /** Values of an inner query that are added in each row. */
  #folded(
    inner: RowUnit | undefined,
    aggregate: string,
    {
      query,
      dimensions,
      path,
      name = lastOf(query.outputs).name,
    }: {
      readonly query: AggregateQuery
      readonly dimensions: readonly ResolvedDimension[]
      readonly path: string
      readonly name?: string
    },
  ): RowUnit | undefined {
    if (!inner || !needsOneUnit(aggregate)) return undefined
    if (inner.every(({ of }) => isWithin(of, dimensions)))
      return unitOfAggregate(aggregate, [{ unit: inner, isScaled: false }]).unit
    this.mixed({ name, column: undefined, by: dimensions, does: 'adds' }, path)
    return undefined
  }

  /** A number by which rows are grouped; a unit by column is named by a dimension of that column, if there is one. */
  #ofDimension(dimension: ResolvedDimension | undefined, dimensions: readonly ResolvedDimension[]): RowUnit | undefined {
    const [member, ...others] = dimension?.members ?? []
    if (!dimension || !member || others.length > 0 || dimension.expression) return undefined
    const { unit } = unitsOfModel(this.#context.model).ofExpression(member.expression, { kind: 'dimension', name: member.name })
    const settled = unit && this.#aggregates.settled(unit)
    return (
      settled &&
      mapSymbols<RowSymbol, RowSymbol>(settled, (symbol) => {
        if (symbol.kind !== 'fixed') return symbol
        const naming = dimensions.find(({ members: [one] }) => isRef(one.expression, symbol))
        return naming ? { kind: 'dimension', name: naming.name, label: naming.label } : symbol
      })
    )
  }

  #textOfColumn(
    column: ColumnRef,
    fields: readonly { readonly column: ColumnRef; readonly label: string }[],
  ): string | undefined {
    const { unit } = unitsOfModel(this.#context.model).ofColumn(column)
    const settled = unit && this.#aggregates.settled(unit)
    const naming =
      settled &&
      mapSymbols<RowSymbol, RowSymbol>(settled, (symbol) => {
        const field = symbol.kind === 'fixed' ? fields.find((each) => isRef(each.column, symbol)) : undefined
        return field ? { kind: 'dimension', name: field.label, label: field.label } : symbol
      })
    return naming && textOf(naming, undefined)
  }
}

const VALUES: ReadonlySet<string> = new Set(['lag', 'lead', 'first_value', 'last_value', 'min', 'max'])

const isColumn = (expression: RowExpr, name: string): boolean => expression.kind === 'column' && expression.name === name

const isRef = (expression: Expr<ColumnRef>, { object, column }: Pick<ColumnRef, 'object' | 'column'>): boolean =>
  expression.kind === 'column' && expression.object === object && expression.column === column

/** Whether a unit is one for all rows that share these dimensions. */
function isWithin(symbol: RowSymbol, dimensions: readonly ResolvedDimension[]): boolean {
  const has = (name: string): boolean => dimensions.some((d) => d.name === name)
  if (symbol.kind === 'dimension') return has(symbol.name)
  return symbol.kind !== 'fixed' || symbol.by.every((name) => name.startsWith(BY_CONDITION) || has(name))
}

function textsOf(
  units: readonly (readonly [Output, RowUnit | undefined])[],
  dimensions: readonly ResolvedDimension[],
): ReadonlyMap<string, string> {
  return new Map(
    units.flatMap(([{ name }, unit]) => {
      const text = unit && textOf(unit, dimensions)
      return text ? [[name, text] as const] : []
    }),
  )
}

/** `undefined` if no column of the answer names a part of it. */
function textOf(unit: RowUnit, dimensions: readonly ResolvedDimension[] | undefined): string | undefined {
  const isNamed = unit.every(
    ({ of }) =>
      of.kind === 'named' ||
      (of.kind === 'dimension' && (dimensions === undefined || dimensions.some(({ name }) => name === of.name))),
  )
  return isNamed
    ? unitText(unit, (symbol) => (symbol.kind === 'named' ? symbol.name : `{${symbol.kind === 'dimension' ? symbol.label : ''}}`))
    : undefined
}
