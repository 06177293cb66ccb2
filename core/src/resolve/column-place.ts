import type { ColumnRef } from '../model/expression/ast.js'
import { equalTerms } from '../model/join-term.js'
import type { Edge, JoinGraph } from './join-graph.js'

/** A column as the rows of a base read it: by joins that lead from the base to its object. */
export interface ColumnPlace {
  readonly edges: readonly Edge[]
  readonly object: string
  readonly column: string
}

/** The place of a column that the rows at the end of `edges` read; `undefined` without exactly one path. */
export function placeFrom(
  { edges, object: from }: Pick<ColumnPlace, 'edges' | 'object'>,
  { object, column }: Pick<ColumnRef, 'object' | 'column'>,
  graph: JoinGraph,
  via?: string,
): ColumnPlace | undefined {
  const path = graph.path(from, object, via)
  return path.kind === 'path' ? { edges: [...edges, ...path.edges], object, column } : undefined
}

/** Equal for equal places only. */
export const placeKey = ({ edges, object, column }: ColumnPlace): string => JSON.stringify([wayKey(edges), object, column])

/** Equal for equal joins only. */
export const wayKey = (edges: readonly Edge[]): string => JSON.stringify(edges.map(({ from, to, on }) => [from, to, on]))

/** Which rows are meant: those that the joins match, or also those that they do not match. */
export type Rows = 'matched' | { readonly andOthersUnless: (edges: readonly Edge[]) => boolean }

/** The place and those whose values are the same in these rows, because joins compare them. */
export function equalPlaces(place: ColumnPlace, rows: Rows): readonly ColumnPlace[] {
  const found = [place]
  for (let at: ColumnPlace | undefined = place; at !== undefined; ) {
    at = beforeJoin(at, rows)
    if (at) found.push(at)
  }
  return found
}

/** The column on the other side of the last join. */
function beforeJoin({ edges, column }: ColumnPlace, rows: Rows): ColumnPlace | undefined {
  const last = edges.at(-1)
  if (last === undefined) return undefined
  // A row that a required join does not match is dropped, or it is missing itself and has no value on both sides.
  const matches = rows === 'matched' || last.foreignKey || last.required || rows.andOthersUnless(edges)
  if (!matches) return undefined
  const term = equalTerms(last.on).find(({ to }) => to === column)
  return term && { edges: edges.slice(0, -1), object: last.from, column: term.from }
}
