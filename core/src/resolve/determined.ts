import { fail } from '../errors.js'
import type { NonEmpty } from '../invariant.js'
import { type Grain, lengthOfGrain, staysWithin } from '../model/grain.js'
import { keysOf } from '../model/semantic-model.js'
import { isSame } from '../same.js'
import { bucket } from './bucket.js'
import { typedNull } from './expressions.js'
import { declaredDimension, splitGrain } from './fields.js'
import { find } from './lookup.js'
import { type RowExpr, relationColumn } from './relation-column.js'
import { ascending, objectOf, type ResolvedAggregate, type ResolvedDimension, type SortKey } from './resolved-query.js'
import { leastBy, type SortContext, sortColumnsOf, sortKeysOf } from './sort-columns.js'
import { identityOf } from './time-dimension.js'

interface Selected {
  readonly dimensions: readonly ResolvedDimension[]
  /** Those of them that a subtotal is not grouped by. */
  readonly absent: readonly ResolvedDimension[]
  readonly path: string
}

/** The sort keys of a dimension, and the values that are looked up for them. */
interface Determined {
  readonly keys: readonly SortKey<RowExpr>[]
  readonly sorts: readonly ResolvedAggregate[]
}

/**
 * The sort keys of a dimension that the query does not select, but that its dimensions determine: the same column in shorter periods, a key of its
 * object, or a dimension that it orders. `undefined` if the model has no such dimension. Throws `ORDER_NOT_DETERMINED`.
 */
export function determinedDimension(text: string, selected: Selected, context: SortContext): Determined | undefined {
  const { model } = context.graph
  if (!find(text, model.dimensions) && !find(splitGrain(text, model).name, model.dimensions)) return undefined
  const wanted = declaredDimension(text, model, selected.path)
  const found = bySameColumn(wanted, selected, context) ?? byRows(wanted, selected, context)
  return found ?? refuse(wanted, selected, context)
}

/** By a selected dimension of the same column, at a finer grain or as it is. */
function bySameColumn(wanted: ResolvedDimension, { dimensions, absent }: Selected, context: SortContext): Determined | undefined {
  const own = dimensions.find((d) => isPlain(d) && !d.sequence && isSameColumn(d, wanted) && isFiner(d.grain, wanted.grain))
  if (!own) return undefined
  if (absent.includes(own)) return { keys: sortKeysOf(wanted, context).map(({ type }) => nothing(type)), sorts: [] }
  if (wanted.sortBy) {
    const as = { ...own, sortBy: wanted.sortBy }
    return { keys: sortKeysOf(as, context), sorts: sortColumnsOf([as], context) }
  }
  const value = relationColumn('', own.name, own.type)
  const { grain, type } = wanted
  const expression = grain === undefined || grain === own.grain ? value : periodOf(value, own, grain, context)
  return { keys: [ascending<RowExpr>(expression, type)], sorts: [] }
}

/** A period is already in the zone of the query. */
const periodOf = (value: RowExpr, { grain, type }: ResolvedDimension, by: Grain, { inner }: SortContext): RowExpr =>
  bucket(value, type, by, grain ? { ...inner.time, naiveZone: undefined } : inner.time)

const isPlain = ({ members, expression }: ResolvedDimension): boolean => members.length === 1 && !expression

const isSameColumn = (a: ResolvedDimension, b: ResolvedDimension): boolean =>
  identityOf(a.members[0]) === identityOf(b.members[0])

function isFiner(own: Grain | undefined, wanted: Grain | undefined): boolean {
  if (own === undefined || own === wanted) return true
  if (wanted === undefined || lengthOfGrain(own) >= lengthOfGrain(wanted)) return false
  // A week can be in two months.
  return staysWithin(own, wanted) && !(own === 'week' && typeof wanted === 'string')
}

/** By the rows of its object that have the selected values. */
function byRows(wanted: ResolvedDimension, selected: Selected, context: SortContext): Determined | undefined {
  const by = keyOf(wanted, selected, context) ?? orderedBy(wanted, selected)
  if (!by) return undefined
  const [{ expression }] = wanted.members
  const values = [...(wanted.sortBy ? [wanted.sortBy] : []), expression]
  const sorts = values.map((value, i) =>
    leastBy(by, { what: `${i < values.length - 1 ? 'order of ' : ''}${wanted.label}`, value }, context),
  )
  const isAbsent = by.some((d) => selected.absent.includes(d))
  const keys = sorts.map(({ name, type }, i): SortKey<RowExpr> => {
    if (isAbsent) return nothing(type)
    const value = relationColumn('', name, type)
    const { grain, sequence } = i < sorts.length - 1 ? {} : wanted
    return {
      ...ascending<RowExpr>(grain ? periodOf(value, { ...wanted, grain: undefined, type }, grain, context) : value, type),
      sequence,
    }
  })
  return { keys, sorts: isAbsent ? [] : sorts }
}

/** The selected dimensions that are a key of its object, in its role. */
function keyOf(
  wanted: ResolvedDimension,
  { dimensions }: Selected,
  { graph }: SortContext,
): NonEmpty<ResolvedDimension> | undefined {
  const [{ object, via }] = wanted.members
  const columns = (key: readonly string[]): readonly (ResolvedDimension | undefined)[] =>
    key.map((column) =>
      dimensions.find(
        (d) =>
          isPlain(d) &&
          d.grain === undefined &&
          identityOf(d.members[0]) ===
            identityOf({ ...d.members[0], object, via, expression: { kind: 'column', object, column } }),
      ),
    )
  const found = keysOf(objectOf(graph.model, object))
    .map(columns)
    .find((all) => !all.includes(undefined))
  const [first, ...rest] = (found ?? []).flatMap((d) => d ?? [])
  return first && [first, ...rest]
}

/** A selected dimension whose values it orders. */
function orderedBy(wanted: ResolvedDimension, { dimensions }: Selected): NonEmpty<ResolvedDimension> | undefined {
  const one = dimensions.find((d) => isPlain(d) && d.sortBy !== undefined && isSame(d.sortBy, wanted.members[0].expression))
  return one && [one]
}

const nothing = (type: SortKey<RowExpr>['type']): SortKey<RowExpr> => ascending<RowExpr>(typedNull(type), type)

function refuse({ label, members }: ResolvedDimension, { dimensions, path }: Selected, { graph }: SortContext): never {
  const [{ object }] = members
  const { key } = objectOf(graph.model, object)
  const keys = key.map((column) => `'${object}.${column}'`).join(' and ')
  const ways = [`select '${label}'`, ...(key.length > 0 ? [`a dimension of ${keys}`] : [])].join(', or ')
  const message = `'${label}' is not selected, and ${dimensions.length === 0 ? 'no dimension is' : 'the selected dimensions do not determine it'}, so a row can have several of its values; ${ways}`
  return fail('ORDER_NOT_DETERMINED', message, { path, hint: `Add '${label}' to select.dimensions.` })
}
