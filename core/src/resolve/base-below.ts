import { entryOf } from '../invariant.js'
import { baseOf } from './base-of.js'
import type { JoinGraph } from './join-graph.js'
import { measuresBelow } from './over-time.js'

/** The object whose rows all measures below a name count: which column of a fact is their time depends on it. */
export function baseBelow(name: string, graph: JoinGraph, path: string): string | undefined {
  const bases = new Set(measuresBelow([name], graph.model).map((one) => baseOf(entryOf(graph.model.measures, one), graph, path)))
  return bases.size === 1 ? [...bases][0] : undefined
}
