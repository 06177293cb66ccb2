import { readObjects } from '../resolve/homes.js'
import type { JoinGraph } from '../resolve/join-graph.js'

/** What declaration would connect the rows of `home` with `target`, which no join leads to. */
export function connectAdvice(home: string, target: string, graph: JoinGraph): string {
  const tables = graph.nodes.filter((node) => isAssociation(node, home, target, graph))
  const between = graph.lowest(tables, [target]) ?? tables[0]
  if (between !== undefined) {
    const sides = [graph.meeting(home, between), target].filter((o) => o !== between).map((o) => `'${o}'`)
    return `'${between}' leads to both ${sides.join(' and ')}: if it associates them and has no facts of its own, declare bridge: true on it`
  }
  return `declare a join from '${home}', or from an object that it reaches, to '${target}', or a bridge table that joins both`
}

/** The objects that `home` reaches, in words. */
export function reachInWords(home: string, graph: JoinGraph): string {
  const others = [...graph.reach(home)].filter((o) => o !== home)
  if (others.length === 0) return `'${home}' joins no other object`
  const named = others.slice(0, 5).map((o) => `'${o}'`)
  return `'${home}' reaches ${named.join(', ')}${others.length > 5 ? ` and ${others.length - 5} more` : ''}`
}

/** Leads to the target and to something that `home` reaches, and no measure is made of its columns. */
function isAssociation(node: string, home: string, target: string, graph: JoinGraph): boolean {
  const { dataObjects, measures } = graph.model
  const object = dataObjects.get(node)
  if (!object || object.bridge || node === target || !graph.reach(node).has(target) || graph.shared(home, node).length === 0)
    return false
  return ![...measures.values()].some((m) => m.rowCountOf === undefined && readObjects(m).includes(node))
}
