/** The objects and joins of a model for the Graph tab. */
import type { Compiled, ExplainJoin, Schema } from '../api/types.js'
import { fieldsOf } from '../model/fields.js'
import type { JoinEdge, JoinGraph } from './read-graph.js'

export type ObjectKind = 'fact' | 'dimension' | 'bridge' | 'orphan'

export interface GraphObject {
  readonly name: string
  readonly kind: ObjectKind
  /** The table, or the word `query`. */
  readonly table: string
  readonly description?: string
  readonly measures: number
  readonly dimensions: number
  /** True if the query reads it. */
  readonly isLit: boolean
}

export interface GraphJoin {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly cardinality: JoinEdge['cardinality']
  /** As `Origin = Code`, or the column that holds the rows. */
  readonly columns: string
  readonly pathName?: string
  readonly isSecondary: boolean
  readonly isLit: boolean
}

export interface ModelGraph {
  readonly objects: readonly GraphObject[]
  readonly joins: readonly GraphJoin[]
}

interface Parts {
  readonly schema: Schema
  readonly graph: JoinGraph
  readonly orphans: readonly string[]
  readonly explain: Compiled['explain'] | undefined
}

export function modelGraph({ schema, graph, orphans, explain }: Parts): ModelGraph {
  const used = explain ? [...explain.joins, ...explain.cfl_legs.flatMap(({ joins }) => joins)] : []
  const bases = explain ? [explain.base_object, ...explain.cfl_legs.map((leg) => leg.measure_source)] : []
  const lit = new Set([...bases, ...used.flatMap((join) => [join.from_object, join.to_object])])
  const counts = countsOf(schema)
  const described = new Map(schema.data_objects.map((object) => [object.name, object]))
  const kindOf = kinds({ graph, orphans, measuresOf: (name) => counts.get(name)?.measures ?? 0 })
  return {
    objects: graph.nodes.map((name) => ({
      name,
      kind: kindOf(name),
      table: tableOf(described.get(name)?.code ?? ''),
      description: described.get(name)?.description,
      measures: counts.get(name)?.measures ?? 0,
      dimensions: counts.get(name)?.dimensions ?? 0,
      isLit: lit.has(name),
    })),
    joins: graph.edges.map((edge, n) => ({
      id: `j${n}`,
      from: edge.from_object,
      to: edge.to_object,
      cardinality: edge.cardinality,
      columns: columnsOf(edge),
      pathName: edge.path_name,
      isSecondary: edge.secondary,
      isLit: used.some((join) => follows(join, edge)),
    })),
  }
}

function countsOf(schema: Schema): ReadonlyMap<string, { readonly measures: number; readonly dimensions: number }> {
  const counts = new Map<string, { measures: number; dimensions: number }>()
  for (const { group, kind, isRowCount } of fieldsOf(schema)) {
    const count = counts.get(group) ?? { measures: 0, dimensions: 0 }
    // A count of rows does not show the purpose of an object.
    if (kind === 'measure' && isRowCount !== true) count.measures++
    if (kind === 'dimension') count.dimensions++
    counts.set(group, count)
  }
  return counts
}

interface Known extends Pick<Parts, 'graph' | 'orphans'> {
  readonly measuresOf: (name: string) => number
}

/** A fact has measures, or it joins other objects while none joins it. */
function kinds({ graph, orphans, measuresOf }: Known): (name: string) => ObjectKind {
  const bridges = new Set(graph.bridges.map(({ data_object }) => data_object))
  const alone = new Set(orphans)
  const [sources, targets] = [
    new Set(graph.edges.map(({ from_object }) => from_object)),
    new Set(graph.edges.map(({ to_object }) => to_object)),
  ]
  return (name) => {
    if (alone.has(name)) return 'orphan'
    if (bridges.has(name)) return 'bridge'
    return measuresOf(name) > 0 || (sources.has(name) && !targets.has(name)) ? 'fact' : 'dimension'
  }
}

function columnsOf({ columns_from, columns_to, nested_in }: JoinEdge): string {
  if (nested_in !== undefined) return `elements of ${nested_in}`
  return columns_from.map((from, at) => `${from} = ${columns_to[at]}`).join(', ')
}

/** A join of the query may use an edge in either direction. */
function follows({ from_object, to_object, join_columns }: ExplainJoin, edge: JoinEdge): boolean {
  const same = (columns: readonly string[]) => columns.join('\0') === join_columns.join('\0')
  if (from_object === edge.from_object && to_object === edge.to_object) return same(edge.columns_from)
  return from_object === edge.to_object && to_object === edge.from_object && same(edge.columns_to)
}

const tableOf = (code: string): string => (/\s/.test(code.trim()) ? 'query' : code)

export type Scope = 'all' | 'question' | 'near'

/** The part of the graph that is drawn. `near` is one object and its direct neighbours. */
export function partOf(graph: ModelGraph, scope: Scope, chosen: string | undefined): ModelGraph {
  if (scope === 'all') return graph
  const kept =
    scope === 'question'
      ? new Set(graph.objects.filter(({ isLit }) => isLit).map(({ name }) => name))
      : neighbours(graph, chosen ?? middleOf(graph))
  return {
    objects: graph.objects.filter(({ name }) => kept.has(name)),
    joins: graph.joins.filter(({ from, to }) => kept.has(from) && kept.has(to)),
  }
}

/** The object, the objects that it joins, and those that join it. */
export function neighbours({ joins }: ModelGraph, name: string | undefined): ReadonlySet<string> {
  const near = joins.filter(({ from, to }) => from === name || to === name).flatMap(({ from, to }) => [from, to])
  return new Set(name === undefined ? [] : [name, ...near])
}

/** The object at the start: one of the query, else the one with the most joins. */
function middleOf({ objects, joins }: ModelGraph): string | undefined {
  const degree = new Map<string, number>()
  for (const { from, to } of joins) for (const name of [from, to]) degree.set(name, (degree.get(name) ?? 0) + 1)
  const most = objects.toSorted((a, b) => (degree.get(b.name) ?? 0) - (degree.get(a.name) ?? 0))
  return (most.find(({ isLit }) => isLit) ?? most[0])?.name
}

/** The labels at the two ends of a join. */
export const endsOf = (cardinality: GraphJoin['cardinality']): readonly [string, string] =>
  cardinality === 'many-to-one' ? ['n', '1'] : cardinality === 'one-to-one' ? ['1', '1'] : ['n', 'm']

export const KIND_NAMES: Readonly<Record<ObjectKind, string>> = {
  fact: 'fact',
  dimension: 'dimension',
  bridge: 'bridge',
  orphan: 'not joined',
}

/** `12 measures · 5 dimensions`. */
export function countsInWords({ measures, dimensions }: Pick<GraphObject, 'measures' | 'dimensions'>): string {
  const said = [
    [measures, 'measure'],
    [dimensions, 'dimension'],
  ] as const
  return said.flatMap(([n, word]) => (n === 0 ? [] : [`${n} ${word}${n === 1 ? '' : 's'}`])).join(' · ') || 'no fields'
}
