import { leavesOf } from '../model/expression/ast.js'
import type { AggregateSpec } from '../model/functions/function-spec.js'
import type { Measure } from '../model/semantic-model.js'
import { acrossOf } from './across.js'
import { aggregateType } from './aggregate-type.js'
import { balanceDimensions, balanceOf, balanceType, hasTime } from './balance.js'
import { ofSomebody } from './conversions.js'
import { coalesce, integer, isNotNull } from './expressions.js'
import { homeOf } from './homes.js'
import { defaultLiteral } from './literals.js'
import { conjunctsOf, grainOf, type Modifier } from './modifiers.js'
import { type RelationColumn, type RowExpr, relationColumn } from './relation-column.js'
import type { Atom, Conversion, ResolvedDimension, Shift } from './resolved-query.js'
import type { RowSetContext } from './row-set-context.js'
import { isStrict } from './strict.js'
import { isWeighed, weightedType, weightsOf } from './weights.js'

/** Who asks for a field, and how it is to be read. */
export interface Ask {
  readonly present: boolean
  readonly path: string
  readonly modifier: Modifier | undefined
}

/** The evaluations over rows that a query needs, each once, with one expression that reads each. */
export class AtomSet {
  readonly #atoms = new Map<string, Atom>()
  /** Those whose rows are rows of the answer, whoever asked for them first. */
  readonly #present = new Set<string>()

  constructor(private readonly context: RowSetContext) {}

  get all(): Atom[] {
    return [...this.#atoms].map(([key, atom]) => ({ ...atom, present: this.#present.has(key) }))
  }

  /** The atom of a measure; of a conversion, that of its events. Throws what a measure without a home, a type or a grain is refused with. */
  of(measure: Measure, { present, path, modifier }: Ask, events?: EventsOf): Atom {
    const of = events
    const name = of?.name ?? measure.name
    const key = modifiedKey(name, modifier)
    if (present) this.#present.add(key)
    const known = this.#atoms.get(key)
    if (known) return known
    const { graph, dimensions, absent, elsewhere, where } = this.context
    const seen = conjunctsOf(measure, where)
    const kept = modifier ? seen.flatMap((c) => modifier.conjunct(c) ?? []) : seen
    const window = modifier?.window
    const home = homeOf(measure, graph, path)
    const across = acrossOf(measure, home, this.context, path)
    const plain = aggregateType(measure, this.context, path, across)
    const filters = of?.conversion.base.filters ?? measure.filters
    const grain = grainOf(measure, levelOf(dimensions, modifier), [...dimensions, ...absent, ...elsewhere], path)
    const within = measure.semiAdditive ? balanceDimensions(measure.semiAdditive, this.context, path) : []
    const reading = { home, dimensions: [...grain, ...within], conjuncts: kept, filters }
    const weighed = isWeighed(measure) && !across && !of && !this.context.inner.fanOut
    const weights = weighed ? weightsOf(reading, graph) : []
    const perTime = weightedType(measure, plain, weights, this.context)
    const balance = balanceOf(measure, perTime, this.context, path)
    const atom: Atom = {
      name: this.context.columnName(key, modifiedName(name, modifier)),
      measure,
      home,
      type: balance ? balanceType(balance, this.#spec(measure.aggregation), this.#spec('sum')) : perTime,
      emptyIsZero: this.#spec(measure.aggregation).empty === 'zero',
      present,
      filters,
      dimensions: grain,
      conjuncts: [...kept, ...(balance ? [hasTime(balance)] : []), ...(of ? [ofSomebody(of.conversion)] : [])],
      shift: modifier?.shift,
      window,
      balance,
      converts: of?.converting ? of.conversion : undefined,
      across,
      weights,
      path,
    }
    this.#atoms.set(key, atom)
    return atom
  }

  /** Reads the value, with the measure's default in place of NULL. */
  read({ name, type, measure, emptyIsZero, shift, window, balance, dimensions }: Atom): RowExpr {
    const column = relationColumn('', name, type)
    const { defaultValue } = measure
    const isCount = !shift && (window ?? balance) !== undefined && emptyIsZero
    const present = isCount ? coalesce<RelationColumn>(column, integer(0)) : column
    const filled = defaultValue === undefined ? present : coalesce<RelationColumn>(present, defaultLiteral(defaultValue))
    const timeless = window !== undefined && !dimensions.includes(window.period)
    return window && (timeless || filled !== column) ? whereTimeIs(window.time, filled) : filled
  }

  /** Whether the prior value is NULL by itself where the time is missing: every part of it is found by the time. */
  isNullWithoutTime(prior: RowExpr, { key, shift }: Modifier & { readonly shift: Shift }): boolean {
    const found = new Set<string>()
    for (const [name, atom] of this.#atoms) {
      if (name.startsWith(`${key}\u0000`) && atom.dimensions.includes(shift.period)) found.add(atom.name)
    }
    return isStrict(prior) && leavesOf<RelationColumn>(prior).every((leaf) => found.has(leaf.name))
  }

  #spec(aggregation: string): AggregateSpec {
    return this.context.aggregates.get(aggregation)!
  }
}

/** Events of a conversion, under a name of their own. */
interface EventsOf {
  readonly name: string
  readonly conversion: Conversion
  readonly converting: boolean
}

/** Rows without a time are in no window and have no other period. */
export const whereTimeIs = (time: ResolvedDimension, value: RowExpr): RowExpr => ({
  kind: 'case',
  branches: [{ when: isNotNull<RelationColumn>(relationColumn('', time.name, time.type)), then: value }],
  otherwise: undefined,
})

/** What an atom under a modifier is grouped by where it has no grain of its own. */
export function levelOf(dimensions: readonly ResolvedDimension[], modifier: Modifier | undefined): readonly ResolvedDimension[] {
  const { window, shift } = modifier ?? {}
  if (window) return [window.period, ...window.partition, ...window.apart]
  if (!shift) return dimensions
  return dimensions.filter((d) => !shift.along.includes(d)).map((d) => (d === shift.dimension ? shift.period : d))
}

export const modifiedKey = (name: string, modifier: Modifier | undefined): string =>
  modifier ? `${modifier.key}\u0000${name}` : name

/** How a column of modified values would like to be called. */
export const modifiedName = (name: string, modifier: Modifier | undefined): string =>
  modifier ? `${name} (${modifier.label})` : name
