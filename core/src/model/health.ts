import { finished } from '../finished.js'
import { forwardGraph } from './analyse/join-graph.js'
import type { ColumnRef } from './expression/ast.js'
import { leavesOf } from './expression/ast.js'
import { reachable } from './graph.js'
import type { SemanticModel } from './semantic-model.js'

/** The quality of the join graph, with the words of the API. */
export interface ModelHealth {
  readonly status: 'ok' | 'warnings'
  readonly data_objects: number
  readonly joins: number
  readonly orphan_data_objects: readonly string[]
  readonly fan_trap_risks: readonly FanTrapRisk[]
  readonly unreachable_dimensions: readonly string[]
  readonly warnings_count: number
}

/** Objects whose rows a careless join would repeat. */
export interface FanTrapRisk {
  readonly tables: readonly string[]
  readonly reason: string
  readonly suggested_pattern: string
}

/** The health of a model; `warnings` is the number of remarks of its validation. */
export const modelHealth = (model: SemanticModel, warnings = 0): ModelHealth => finished(healthInSteps(model, warnings))

/** The same. Yields between passes over all objects, so that a caller may let others run. */
export function* healthInSteps(model: SemanticModel, warnings = 0): Generator<undefined, ModelHealth> {
  const joins = [...model.dataObjects.values()].flatMap((object) => object.joins)
  const orphans = orphanObjects(model)
  yield
  const facts = yield* measureObjects(model)
  const risks = fanTrapRisks(model, facts)
  yield
  const unreachable = yield* unreachableDimensions(model, facts)
  const sound = orphans.length + risks.length + unreachable.length + warnings === 0
  return {
    status: sound ? 'ok' : 'warnings',
    data_objects: model.dataObjects.size,
    joins: joins.length,
    orphan_data_objects: orphans,
    fan_trap_risks: risks,
    unreachable_dimensions: unreachable,
    warnings_count: warnings,
  }
}

/** Objects without joins; a model of one object has none. */
export function orphanObjects(model: Pick<SemanticModel, 'dataObjects'>): string[] {
  if (model.dataObjects.size < 2) return []
  const touched = new Set<string>()
  for (const object of model.dataObjects.values()) {
    for (const join of object.joins) touched.add(object.name).add(join.to)
    if (object.nestedIn) touched.add(object.name).add(object.nestedIn.dataObject)
  }
  return [...model.dataObjects.keys()].filter((name) => !touched.has(name))
}

/** Objects that the declared measures read; row counts do not show the purpose of a model. */
function* measureObjects(model: SemanticModel): Generator<undefined, ReadonlySet<string>> {
  const objects = new Set<string>()
  for (const measure of model.measures.values()) {
    yield
    for (const input of measure.inputs) for (const leaf of leavesOf<ColumnRef>(input)) objects.add(leaf.object)
    if (measure.anchor !== undefined) objects.add(measure.anchor)
  }
  return objects
}

/** Measures on the one side of a join need a key, so that the many side does not count them twice. */
function fanTrapRisks(model: SemanticModel, facts: ReadonlySet<string>): FanTrapRisk[] {
  const risks: FanTrapRisk[] = []
  for (const object of model.dataObjects.values()) {
    for (const join of object.joins) {
      const ends =
        join.cardinality === 'many-to-one' ? [join.to] : join.cardinality === 'many-to-many' ? [join.from, join.to] : []
      for (const one of ends) {
        if (!facts.has(one) || (model.dataObjects.get(one)?.key.length ?? 0) > 0) continue
        const other = one === join.from ? join.to : join.from
        risks.push({
          tables: [one, other],
          reason: `One row of '${one}', which carries measures, meets many of '${other}', and '${one}' declares no key`,
          suggested_pattern: `Mark the key columns of '${one}' with primaryKey, so that each of its rows is counted once`,
        })
      }
    }
  }
  return risks
}

/** Dimensions by which no measure can be grouped, neither directly nor through a bridge. */
function* unreachableDimensions(model: SemanticModel, facts: ReadonlySet<string>): Generator<undefined, string[]> {
  if (facts.size === 0) return []
  const graph = forwardGraph(
    [...model.dataObjects.values()].flatMap((object) => object.joins),
    true,
  )
  yield
  const reached = new Set<string>()
  const spread = (from: Iterable<string>, step: (name: string) => readonly string[]): void => {
    const queue = [...from]
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      if (reached.has(name)) continue
      reached.add(name)
      queue.push(...step(name))
    }
  }
  // A bridge reaches a measure's object; the measure can be grouped by everything that a bridge or the object itself reaches.
  const bridges = new Set<string>()
  for (const fact of facts) {
    yield
    if (!bridges.has(fact)) for (const name of reachable(fact, graph.backward)) bridges.add(name)
  }
  spread(bridges, graph.forward)
  yield
  for (const object of model.dataObjects.values()) {
    yield
    for (const join of object.joins) {
      if (join.cardinality === 'many-to-many' && (reached.has(join.from) || reached.has(join.to)))
        spread(
          [join.from, join.to].filter((n) => !reached.has(n)),
          graph.forward,
        )
    }
  }
  const isReached = (name: string): boolean => reached.has(name)
  const tables = [...model.dataObjects.values()].filter((o) => o.bridge && [...reachable(o.name, graph.forward)].some(isReached))
  spread(
    tables.map((o) => o.name),
    graph.forward,
  )
  return [...model.dimensions.values()]
    .filter((dimension) => !reached.has(dimension.dataObject))
    .map((dimension) => dimension.name)
}
