import { isHiddenName } from '../hidden-name.js'
import { comparedOf } from '../model/join-term.js'
import { readObjects } from '../resolve/base-of.js'
import type { JoinGraph } from '../resolve/join-graph.js'
import { objectOf } from '../resolve/resolved-query.js'

/** The declaration that would connect the rows of `base` with `target`, which they do not reach. */
export function connectAdvice(base: string, target: string, graph: JoinGraph): string {
  const tables = graph.nodes.filter((node) => !isHiddenName(node) && isAssociation(node, base, target, graph))
  // A table of keys alone has no facts.
  const pure = tables.filter((node) => hasOnlyKeys(node, graph))
  const found = pure.length > 0 ? pure : tables
  const between = graph.lowest(found, [target]) ?? found[0]
  if (between !== undefined) {
    const sides = [graph.meeting(base, between), target].filter((o) => o !== between).map((o) => `'${o}'`)
    return `'${between}' leads to both ${sides.join(' and ')}: if it associates them and has no facts of its own, declare bridge: true on it`
  }
  return `declare a join from '${base}', or from an object that it reaches, to '${target}', or a bridge table that joins both`
}

/** The objects that `base` reaches, as text. */
export function reachInWords(base: string, graph: JoinGraph): string {
  const others = [...graph.reach(base)].filter((o) => o !== base && !isHiddenName(o))
  if (others.length === 0) return `'${base}' joins no other object`
  const named = others.slice(0, 5).map((o) => `'${o}'`)
  return `'${base}' reaches ${named.join(', ')}${others.length > 5 ? ` and ${others.length - 5} more` : ''}`
}

/** Joins the target and an object that `base` reaches, and no measure reads its columns. */
function isAssociation(node: string, base: string, target: string, graph: JoinGraph): boolean {
  const { dataObjects, measures } = graph.model
  const object = dataObjects.get(node)
  if (!object || object.bridge || node === target || !graph.reach(node).has(target) || graph.shared(base, node).length === 0)
    return false
  return ![...measures.values()].some((m) => !isHiddenName(m.name) && m.rowCountOf === undefined && readObjects(m).includes(node))
}

/** Whether each of its columns is a part of its key or of a join. */
function hasOnlyKeys(node: string, graph: JoinGraph): boolean {
  const { columns, joins } = objectOf(graph.model, node)
  const linked = new Set(joins.flatMap(({ on }) => comparedOf(on, 'from')))
  return [...columns.values()].every(({ name, primaryKey }) => primaryKey || linked.has(name) || isHiddenName(name))
}
