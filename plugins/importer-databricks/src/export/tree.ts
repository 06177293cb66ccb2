/** The joins of a metric view, each below the one that it begins at. */
import type { SemanticModel } from '@grainline/core'
import { checkKeys, leftOut, needFine, Unsaid } from '@grainline/importer-dbt/foreign'
import { plainName } from './identifier.js'
import { JOIN_KEYS } from './keys.js'

export type DataObject = NonNullable<ReturnType<SemanticModel['dataObjects']['get']>>
type Join = DataObject['joins'][number]

/** A join with columns of tables, which a metric view can say. */
export interface Link {
  readonly join: Join
  readonly at: number
  readonly pairs: readonly { readonly from: string; readonly to: string }[]
}

/** A table of a view. The source has no link, and its path is empty. */
export interface Node {
  readonly object: DataObject
  readonly path: readonly string[]
  readonly link: Link | undefined
  /** Whether there are several rows of it for a row of the source. */
  readonly isMany: boolean
  readonly nodes: Node[]
}

/** The joins of an object that a view can say. `objects`: those that can be tables. */
export function linksOf(object: DataObject, objects: ReadonlyMap<string, DataObject>, model: SemanticModel): readonly Link[] {
  return object.joins.flatMap((_join, at) => {
    try {
      return [linkOf(object, at, objects, model)]
    } catch (error) {
      if (!(error instanceof Unsaid)) throw error
      return []
    }
  })
}

/** Throws `Unsaid` for a join that has no place. */
export function linkOf(object: DataObject, at: number, objects: ReadonlyMap<string, DataObject>, model: SemanticModel): Link {
  const join = object.joins[at]
  if (!join) throw new Unsaid('there is no such join')
  checkKeys(model.document.dataObjects?.[object.name]?.joins?.[at] ?? {}, JOIN_KEYS)
  if (join.cardinality === 'many-to-many') throw new Unsaid('it is many-to-many', 'Add a table between the two.')
  const to = objects.get(join.to)
  if (!to || !objects.has(object.name)) throw leftOut('one of its data objects')
  const pairs = join.on.map((term) => {
    if (term.kind !== 'equal') throw new Unsaid('it compares times')
    return { from: codeOf(object, term.from), to: codeOf(to, term.to) }
  })
  return { join, at, pairs }
}

function codeOf({ name, columns }: DataObject, column: string): string {
  const found = columns.get(column)
  needFine(found)
  const { source } = found ?? {}
  if (source?.kind !== 'physical') throw new Unsaid(`'${name}.${column}' is no column of the table`)
  return source.code
}

export interface Linked {
  readonly model: SemanticModel
  readonly objects: ReadonlyMap<string, DataObject>
  readonly links: ReadonlyMap<string, readonly Link[]>
}

/** The tree of a source. `many`: objects whose rows are several for a row of the source, each with the join that says so. */
export function treeOf(
  source: DataObject,
  { model, objects, links }: Linked,
  many: readonly DataObject[],
): ReadonlyMap<string, Node> {
  const found = new Map<string, Node>()
  const below = (node: Node): void => {
    const ways = waysOf(node.object, model)
    const ahead = [node]
    for (const parent of ahead)
      for (const link of links.get(parent.object.name) ?? []) {
        const object = objects.get(link.join.to)
        if (
          !object ||
          link.join.required ||
          parent.path.length >= MOST_JOINS ||
          ways.get(object.name) !== 1 ||
          found.has(object.name)
        )
          continue
        const child = childOf(parent, object, link, node.isMany)
        found.set(object.name, child)
        ahead.push(child)
      }
  }
  const root: Node = { object: source, path: [], link: undefined, isMany: false, nodes: [] }
  found.set(source.name, root)
  below(root)
  for (const object of many) {
    const link = (links.get(object.name) ?? []).find(({ join }) => join.required && join.to === source.name)
    if (!link || found.has(object.name)) continue
    const child = childOf(root, object, link, true)
    found.set(object.name, child)
    below(child)
  }
  return found
}

/** Of one below the other. */
const MOST_JOINS = 50

/** How many joins lead to each object that rows of this one reach. The object itself is reached without a join. */
export function waysOf({ name: from }: DataObject, { dataObjects }: SemanticModel): ReadonlyMap<string, number> {
  const ways = new Map<string, number>([[from, 2]])
  const ahead = [from]
  for (const name of ahead)
    for (const { to, cardinality, secondary } of dataObjects.get(name)?.joins ?? []) {
      if (cardinality === 'many-to-many' || secondary) continue
      if (!ways.has(to)) ahead.push(to)
      ways.set(to, (ways.get(to) ?? 0) + 1)
    }
  return ways
}

function childOf(parent: Node, object: DataObject, link: Link, isMany: boolean): Node {
  const taken = new Set(['SOURCE', '__PROTO__', ...parent.nodes.map(({ path }) => path.at(-1)?.toUpperCase())])
  const plain = plainName(object.name)
  let name = plain
  for (let at = 2; taken.has(name.toUpperCase()); at++) name = `${plain} ${at}`
  const node: Node = { object, path: [...parent.path, name], link, isMany, nodes: [] }
  parent.nodes.push(node)
  return node
}
