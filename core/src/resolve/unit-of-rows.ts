/** The unit of an aggregate in each row of an answer. */
import { isHiddenName } from '../hidden-name.js'
import { itemAt, lastOf } from '../invariant.js'
import type { ColumnRef } from '../model/expression/ast.js'
import type { GivenValue } from '../model/parameter.js'
import type { WindowSource } from '../model/semantic-model.js'
import { unitsOfModel } from '../model/unit/model-units.js'
import { isSameUnit, mapSymbols, type NamedSymbol, named, type Unit, type UnitSymbol } from '../model/unit/unit.js'
import { needsOneUnit, unitOfAggregate } from '../model/unit/unit-of-aggregate.js'
import { NO_UNIT, type UnitFound, unitOfExpression } from '../model/unit/unit-of-expression.js'
import { type ColumnPlace, equalPlaces, placeFrom, placeKey } from './column-place.js'
import { BY_CONDITION, FixedColumns, type FixedContext, type GroupedRows } from './fixed-columns.js'
import { measureQuery } from './measure-column.js'
import type { Mixed } from './mixed-units.js'
import {
  type AggregateQuery,
  columnOf,
  hasDimension,
  objectOf,
  type ResolvedAggregate,
  type ResolvedDimension,
  type ResolveOptions,
} from './resolved-query.js'

/** What the unit of a value in a row of an answer is made of. */
export type RowSymbol =
  | NamedSymbol
  /** The value of a dimension. */
  | { readonly kind: 'dimension'; readonly name: string; readonly label: string }
  /** The value of a column, of which a row has one; `by` decides it. */
  | { readonly kind: 'fixed'; readonly object: string; readonly column: string; readonly by: readonly string[] }
  /** A parameter without a value. */
  | { readonly kind: 'parameter'; readonly name: string }

type RowUnit = Unit<RowSymbol>

export interface UnitContext extends FixedContext, Pick<ResolveOptions, 'aggregates'> {
  readonly values: ReadonlyMap<string, GivenValue>
}

export class AggregateUnits {
  constructor(
    private readonly context: UnitContext,
    private readonly mixed: Mixed,
    /** The unit of the last column of a query. */
    private readonly ofQuery: (query: AggregateQuery) => RowUnit | undefined,
  ) {}

  /** The unit of the value of each group; `undefined` if it has none, or if several may meet, which is noted. */
  of(aggregate: ResolvedAggregate): RowUnit | undefined {
    const { measure, base, path } = aggregate
    if (!needsOneUnit(measure.aggregation)) return measure.unit && this.settled(measure.unit)
    const rows = new UnitsOfRows(groupedRows(aggregate), aggregate, this.context, (query) => this.ofQuery(query))
    const found = measure.unit ? [rows.declared(measure.unit, { edges: [], object: base })] : rows.ofInputs()
    if (rows.loose) {
      const does = measure.aggregation === 'sum' ? 'adds' : 'combines'
      this.mixed({ name: measure.name, column: rows.loose.column, by: rows.dimensions, does }, path)
      return undefined
    }
    return measure.unit ? found[0]?.unit : unitOfAggregate(measure.aggregation, found).unit
  }

  /** A unit of the model with the values of parameters. */
  settled(unit: Unit): RowUnit {
    return mapSymbols<UnitSymbol, RowSymbol>(unit, (symbol) =>
      symbol.kind === 'column' ? { ...symbol, kind: 'fixed', by: [] } : settledSymbol(symbol, this.context),
    )
  }
}

function settledSymbol(
  symbol: Exclude<UnitSymbol, { readonly kind: 'column' }>,
  { values }: Pick<UnitContext, 'values'>,
): Exclude<RowSymbol, { readonly kind: 'dimension' | 'fixed' }> {
  const value = symbol.kind === 'parameter' ? values.get(symbol.name) : undefined
  return typeof value === 'string' ? named(value) : symbol
}

/** The rows of an aggregate by what they are added: in a window, the time does not divide them. */
function groupedRows({ base, dimensions, window, conjuncts, filters }: ResolvedAggregate): GroupedRows {
  return { base, dimensions: window ? [...window.partition, ...window.groupBy] : dimensions, conjuncts, filters }
}

/** A symbol of a row of the base: a column by its place. */
type PlaceSymbol = Exclude<RowSymbol, { readonly kind: 'dimension' | 'fixed' }> | { readonly kind: 'place'; readonly key: string }

interface Loose {
  readonly column: ColumnRef | undefined
}

/** The units of what an aggregate reads in the rows of its base. */
class UnitsOfRows {
  readonly dimensions: readonly ResolvedDimension[]
  /** Set if several units may meet. */
  loose: Loose | undefined
  readonly #fixed: FixedColumns
  readonly #places = new Map<string, ColumnPlace>()
  /** By the fact, for facts that are summed before they meet at the base. */
  readonly #facts = new Map<string, FixedColumns>()

  constructor(
    rows: GroupedRows,
    private readonly aggregate: ResolvedAggregate,
    private readonly context: UnitContext,
    private readonly ofQuery: (query: AggregateQuery) => RowUnit | undefined,
  ) {
    this.dimensions = rows.dimensions
    this.#fixed = new FixedColumns(rows, context)
    const keys = aggregate.multiFact?.keys ?? []
    for (const { object } of aggregate.multiFact?.facts ?? [])
      this.#facts.set(object, new FixedColumns({ ...rows, base: object, dimensions: [...rows.dimensions, ...keys] }, context))
  }

  ofInputs(): readonly UnitFound<RowSymbol>[] {
    return this.aggregate.measure.inputs.map((input) => {
      const found = unitOfExpression<ColumnRef, PlaceSymbol>(input, {
        ...this.#reading,
        ofLeaf: (ref) => this.#at(this.#placeOfLeaf(ref)),
      })
      return this.#inRows(found)
    })
  }

  declared(unit: Unit, at: Pick<ColumnPlace, 'edges' | 'object'>): UnitFound<RowSymbol> {
    return this.#inRows({ unit: this.#placed(unit, at), isScaled: false })
  }

  readonly #reading = {
    ofParameter: (name: string): UnitFound<PlaceSymbol> => {
      const unit = this.context.model.parameters.get(name)?.unit
      return { unit: unit && this.#placed(unit, undefined), isScaled: false }
    },
    agree: (a: Unit<PlaceSymbol>, b: Unit<PlaceSymbol>): boolean => isSameUnit(this.#canonical(a), this.#canonical(b)),
    differ: (): void => {
      this.loose ??= { column: undefined }
    },
  }

  /** From the base, or from a fact that the base does not reach. */
  #placeOfLeaf(ref: ColumnRef): ColumnPlace | undefined {
    const { graph } = this.context
    const { base } = this.aggregate
    if (graph.reaches(base, ref.object)) return placeFrom({ edges: [], object: base }, ref, graph)
    return this.#facts.has(ref.object) ? { edges: [], ...ref } : undefined
  }

  /** The unit of a column at a place: the declared one, or that of its formula. */
  #at(place: ColumnPlace | undefined): UnitFound<PlaceSymbol> {
    if (!place) return NO_UNIT
    const { model, graph } = this.context
    const ref: ColumnRef = { kind: 'column', object: place.object, column: place.column }
    const { unit, source } = columnOf(model, ref)
    if (unit) return { unit: this.#placed(unit, place), isScaled: false }
    if (source.kind === 'expression')
      return unitOfExpression<ColumnRef, PlaceSymbol>(source.expression, {
        ...this.#reading,
        ofLeaf: (leaf) => this.#at(placeFrom(place, leaf, graph)),
      })
    if (source.kind === 'window') return this.#ofWindowColumn(ref, source, place)
    return source.kind === 'measure' ? this.#ofMeasureColumn(ref, place) : NO_UNIT
  }

  /** Values of other rows: they have the unit of this row if the column that names it is part of their partition. No condition of the query is inside. */
  #ofWindowColumn(ref: ColumnRef, { column, partitionBy }: WindowSource, place: ColumnPlace): UnitFound<PlaceSymbol> {
    const { unit } = unitsOfModel(this.context.model).ofColumn(ref)
    if (!column || !unit) return NO_UNIT
    const isShared = unit.every(
      ({ of }) => of.kind !== 'column' || partitionBy.some((each) => each.object === of.object && each.column === of.column),
    )
    if (isShared) return this.#at({ ...place, column: column.column })
    this.loose ??= { column: undefined }
    return NO_UNIT
  }

  /** A measure for each row of an object: what its key decides is a column of that row. */
  #ofMeasureColumn(ref: ColumnRef, place: ColumnPlace): UnitFound<PlaceSymbol> {
    const { model, graph } = this.context
    const { source } = columnOf(model, ref)
    const { unit } = unitsOfModel(model).ofColumn(ref)
    if (unit === undefined || source.kind !== 'measure') return NO_UNIT
    const { query } = measureQuery(ref, source, { ...this.context, warn: () => undefined })
    const found = this.ofQuery(query)
    if (!found) return NO_UNIT
    const { key } = objectOf(model, ref.object)
    const keyOf = (name: string) =>
      itemAt(
        key,
        query.dimensions.findIndex((d) => d.name === name),
      )
    const symbolOf = (symbol: RowSymbol): PlaceSymbol => {
      if (symbol.kind === 'fixed') return this.#symbolAt(placeFrom(place, symbol, graph))
      return symbol.kind === 'dimension' ? this.#symbolAt({ ...place, column: keyOf(symbol.name) }) : symbol
    }
    return { unit: mapSymbols<RowSymbol, PlaceSymbol>(found, symbolOf), isScaled: false }
  }

  #placed(unit: Unit, at: Pick<ColumnPlace, 'edges' | 'object'> | undefined): Unit<PlaceSymbol> {
    return mapSymbols<UnitSymbol, PlaceSymbol>(unit, (symbol) =>
      symbol.kind === 'column'
        ? this.#symbolAt(at && placeFrom(at, symbol, this.context.graph))
        : settledSymbol(symbol, this.context),
    )
  }

  /** A column with only one value is the unit that this names. */
  #symbolAt(read: ColumnPlace | undefined): PlaceSymbol {
    if (!read) return { kind: 'place', key: '' }
    const place = this.#fromBase(read)
    const fixed = this.#fixedOf(place).fixedBy(place)
    // A value of a column that is hidden names nothing.
    const isShown = !isHiddenName(place.column)
    if (fixed?.kind === 'condition' && typeof fixed.value === 'string' && isShown) return named(fixed.value)
    const key = placeKey(place)
    this.#places.set(key, place)
    return { kind: 'place', key }
  }

  /** What the rows of a fact read through the base is a column of the row of the base at which the facts meet. */
  #fromBase({ edges, ...column }: ColumnPlace): ColumnPlace {
    const at = edges.findLastIndex(({ to }) => to === this.aggregate.base)
    return { edges: edges.slice(at + 1), ...column }
  }

  #fixedOf({ edges, object }: ColumnPlace): FixedColumns {
    const from = edges[0]?.from ?? object
    return from === this.aggregate.base ? this.#fixed : (this.#facts.get(from) ?? this.#fixed)
  }

  #canonical(unit: Unit<PlaceSymbol>): Unit<PlaceSymbol> {
    return mapSymbols<PlaceSymbol, PlaceSymbol>(unit, (symbol) => {
      const place = symbol.kind === 'place' ? this.#places.get(symbol.key) : undefined
      if (!place) return symbol
      const first = lastOf(equalPlaces(place, 'matched'))
      this.#places.set(placeKey(first), first)
      return { kind: 'place', key: placeKey(first) }
    })
  }

  /** The unit with what a row of the answer knows of its columns. */
  #inRows({ unit: written, isScaled }: UnitFound<PlaceSymbol>): UnitFound<RowSymbol> {
    if (written === undefined) return { unit: undefined, isScaled }
    const canonical = this.#canonical(written)
    const unit = canonical.length < written.length ? canonical : written
    return { unit: mapSymbols<PlaceSymbol, RowSymbol>(unit, (symbol) => this.#inRow(symbol)), isScaled }
  }

  #inRow(symbol: PlaceSymbol): RowSymbol {
    if (symbol.kind !== 'place') return symbol
    const place = this.#places.get(symbol.key)
    const fixed = place && (this.#ofAnswer(this.#fixedOf(place).fixedBy(place)) ?? this.#atBase(place))
    const { object, column } = place ?? { object: '', column: '' }
    if (fixed?.kind === 'dimension') return { kind: 'dimension', name: fixed.dimension.name, label: fixed.dimension.label }
    if (fixed?.kind === 'decided') return { kind: 'fixed', object, column, by: fixed.by }
    if (fixed?.kind === 'condition')
      return { kind: 'fixed', object, column, by: [`${BY_CONDITION}${JSON.stringify(fixed.value ?? null)}`] }
    this.loose ??= { column: place && { kind: 'column', object, column } }
    return { kind: 'fixed', object, column, by: [] }
  }

  /** The key at which facts meet is no dimension of the answer. */
  #ofAnswer(fixed: ReturnType<FixedColumns['fixedBy']>) {
    const isShown = (name: string): boolean => name.startsWith(BY_CONDITION) || this.dimensions.some((d) => d.name === name)
    if (fixed?.kind === 'decided') return fixed.by.every(isShown) ? fixed : undefined
    return fixed?.kind === 'dimension' && !hasDimension(this.dimensions, fixed.dimension) ? undefined : fixed
  }

  /** What decides a column of a fact, if the rows of the base have it, too. */
  #atBase({ object, column }: ColumnPlace) {
    const { graph } = this.context
    const { base } = this.aggregate
    const place = graph.reaches(base, object) ? placeFrom({ edges: [], object: base }, { object, column }, graph) : undefined
    return place && this.#fixed.fixedBy(place)
  }
}
