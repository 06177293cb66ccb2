import { leavesOf } from '../expression/ast.js'
import { reachable } from '../graph.js'
import type { Segments } from '../parse/locate.js'
import type { Dimension } from '../semantic-model.js'
import type { Context } from './context.js'
import type { ForwardGraph, SeveralWays } from './join-graph.js'

/**
 * Reports once for each pair of objects that a rule, and not the model, chose between several paths, and that no dimension reads by the others.
 */
export function warnOfChosenWays(
  several: readonly SeveralWays[],
  dimensions: ReadonlyMap<string, Dimension>,
  context: Context,
): void {
  const read = new Set([...dimensions.values()].map(({ dataObject, via }) => JSON.stringify([dataObject, via])))
  for (const { from, to, ways, taken } of several) {
    const others = ways.filter((way) => way !== taken && !read.has(JSON.stringify([to, way]))).map((way) => `'${way}'`)
    if (taken === undefined || others.length === 0) continue
    const by = taken === to ? 'its own join' : `the path through '${taken}'`
    const message = `'${to}' is read from '${from}' by ${by}; ${others.join(' and ')} also ${others.length === 1 ? 'leads there but is' : 'lead there but are'} not used. To use another path as well, declare a second data object on the table of '${to}' for it, or a dimension with via`
    context.faults.warn('SEVERAL_PATHS', ['dataObjects', from], message, { onKey: true, suggestions: ways })
  }
}

/** Reports expressions that read an object to which no join leads: every query on them would be refused. */
export function* warnOfUnreachable(
  dimensions: ReadonlyMap<string, Dimension>,
  graph: ForwardGraph,
  context: Context,
): Generator<undefined> {
  const check = (from: string, read: readonly string[], what: string, segments: Segments): void => {
    const missing = [...new Set(read)].find((object) => !reachable(from, graph.forward).has(object))
    if (missing === undefined) return
    const both = [...context.objects.keys()].find((o) => {
      const reached = reachable(o, graph.forward)
      return reached.has(from) && reached.has(missing)
    })
    const remedy = both === undefined ? `declare a join that leads there` : `'${both}' reaches both: declare it there`
    context.faults.warn('NO_JOIN_PATH', segments, `${what} reads '${missing}', which '${from}' does not reach; ${remedy}`)
  }
  for (const [object, { columns }] of context.objects) {
    for (const { name, source } of columns.values()) {
      yield
      if (source.kind !== 'expression') continue
      const read = leavesOf(source.expression).map((leaf) => leaf.object)
      check(object, read, `'${object}.${name}'`, ['dataObjects', object, 'columns', name, 'expression'])
    }
  }
  for (const { name, dataObject, column, expression } of dimensions.values()) {
    yield
    if (column !== undefined) continue
    const read = leavesOf(expression).map((leaf) => leaf.object)
    check(dataObject, read, `'${name}'`, ['dimensions', name, 'expression'])
  }
}
