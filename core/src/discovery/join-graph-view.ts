import { isHiddenName } from '../hidden-name.js'
import { asOfOf, comparedOf, equalColumns, type Term } from '../model/join-term.js'
import type { Cardinality, Join, SemanticModel } from '../model/semantic-model.js'

export interface DuringView {
  readonly interval: 'here' | 'there'
  readonly time: string
  readonly from: string
  readonly to: string
  readonly includes_end: boolean
}

export interface AsOfView {
  readonly time: string
  readonly to: string
  readonly direction: 'backward' | 'forward'
  readonly within?: string
}

export interface JoinGraphView {
  /** Names of the data objects. */
  readonly nodes: readonly string[]
  /** Objects that only associate others, with the column that weights their rows. */
  readonly bridges: readonly { readonly data_object: string; readonly weight?: string }[]
  readonly edges: readonly {
    readonly from_object: string
    readonly to_object: string
    readonly cardinality: Cardinality
    readonly columns_from: readonly string[]
    readonly columns_to: readonly string[]
    /** The interval of one side in which a time of the other must be. */
    readonly during?: DuringView
    /** The time for which the last row of `to_object`, or the next one, is looked up. */
    readonly as_of?: AsOfView
    readonly secondary: boolean
    readonly path_name?: string
    /** Column of `to_object` whose lists contain the rows of `from_object`; this join is implied by it. */
    readonly nested_in?: string
    readonly required: boolean
    readonly foreign_key: boolean
  }[]
}

/** Every object, every declared join, and the joins that lead from elements to the row that contains them. */
export function joinGraphView({ dataObjects }: Pick<SemanticModel, 'dataObjects'>): JoinGraphView {
  return {
    nodes: [...dataObjects.keys()],
    bridges: [...dataObjects.values()].flatMap(({ name, bridge, weight }) =>
      bridge ? [{ data_object: name, ...(weight !== undefined && { weight }) }] : [],
    ),
    edges: [...dataObjects.values()].flatMap(({ joins, nestedIn }) =>
      joins.map(shownJoin).map(({ from, to, cardinality, on, secondary, pathName, required, foreignKey }) => ({
        from_object: from,
        to_object: to,
        cardinality,
        columns_from: equalColumns(on).columnsFrom,
        columns_to: equalColumns(on).columnsTo,
        ...duringOf(on),
        ...asOfView(on),
        secondary,
        ...(pathName !== undefined && { path_name: pathName }),
        ...(nestedIn?.dataObject === to && { nested_in: isHiddenName(nestedIn.column) ? '' : nestedIn.column }),
        required,
        foreign_key: foreignKey,
      })),
    ),
  }
}

/** A join of which the comparisons of hidden columns are not shown. */
export const shownJoin = (join: Join): Join => ({
  ...join,
  on: join.on.filter((term) => ![...comparedOf([term], 'from'), ...comparedOf([term], 'to')].some(isHiddenName)),
})

function asOfView(on: readonly Term<string>[]): { readonly as_of?: AsOfView } {
  const term = asOfOf(on)
  if (!term) return {}
  const { value, at, direction, within } = term
  return { as_of: { time: value, to: at, direction, ...(within && { within: `${within.count} ${within.unit}` }) } }
}

function duringOf(on: readonly Term<string>[]): { readonly during?: DuringView } {
  const term = on.find(({ kind }) => kind === 'within')
  if (term?.kind !== 'within') return {}
  const { interval, value, start, end } = term
  return {
    during: {
      interval: interval === 'from' ? 'here' : 'there',
      time: value,
      from: start.at,
      to: end.at,
      includes_end: end.isIncluded,
    },
  }
}
