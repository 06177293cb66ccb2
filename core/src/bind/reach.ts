import { type Finding, fail, warning } from '../errors.js'
import type { Measure } from '../model/semantic-model.js'
import { ambiguousJoin } from '../resolve/helpful-pins.js'
import type { JoinGraph } from '../resolve/join-graph.js'
import { bridgesOf, fieldLeaves, isOutOfReach, locate, membersFor } from '../resolve/locate.js'
import { conjunctsOf } from '../resolve/modifiers.js'
import type { Conjunct, FieldSource, ResolvedQuery } from '../resolve/resolved-query.js'
import { ValueSet } from '../same.js'

/** The conditions of a query that reach each of its aggregates. */
export interface Reach {
  readonly applied: readonly Conjunct[]
  /** Conditions that every aggregate ignores on purpose. */
  readonly ignored: readonly Conjunct[]
  readonly missed: readonly Missed[]
  /** Warnings about conditions that reach an aggregate only through another fact. */
  readonly through: readonly Finding[]
}

/** A condition that does not reach an aggregate. */
export interface Missed {
  readonly conjunct: Conjunct
  /** Which of its fields is out of reach, if it reads several. */
  readonly because: string
  readonly warning: Finding
}

export const NO_REACH: Reach = { applied: [], ignored: [], missed: [], through: [] }

export const reachOfAll = (all: readonly Reach[]): Reach => ({
  applied: all.flatMap((r) => r.applied),
  ignored: all.flatMap((r) => r.ignored),
  missed: all.flatMap((r) => r.missed),
  through: all.flatMap((r) => r.through),
})

/** An aggregate that a condition does not reach: its rows, and its name in messages. */
interface Missing {
  readonly base: string
  readonly what: string
}

/** Throws `FILTER_NOT_APPLICABLE` under strict filters. */
export function missed(
  conjunct: Conjunct,
  { base, what }: Missing,
  { graph, strictFilters }: Pick<ResolvedQuery, 'graph' | 'strictFilters'>,
): Missed {
  if (conjunct.shown) {
    const unreached = fieldsOf(conjunct)
    const message = `totals of what is shown need ${what} by ${unreached}, and the rows of '${base}' do not reach them all`
    fail('NO_JOIN_PATH', message, { path: conjunct.path })
  }
  if (conjunct.ofMeasure) {
    const isOwn = conjunct.leaves.some(({ kind }) => kind === 'where-exists')
    const reads = isOwn ? `has a filter on ${fieldsOf(conjunct)}` : `is read at other times of ${fieldsOf(conjunct)}`
    const message = `${what} ${reads}, which cannot be reached from the rows of '${base}'`
    fail('NO_JOIN_PATH', message, { path: conjunct.path })
  }
  const because = outOfReach(conjunct, base, graph)
  const message = `the filter on ${fieldsOf(conjunct)} cannot be reached from ${what} and was not applied to it${because}`
  if (strictFilters) fail('FILTER_NOT_APPLICABLE', message, { path: conjunct.path })
  return { conjunct, because, warning: warning('FILTER_NOT_APPLICABLE', message, { path: conjunct.path }) }
}

/** The fields of a condition that the rows of `base` do not reach, if it has others, too. */
function outOfReach({ leaves, fields }: Conjunct, base: string, graph: JoinGraph): string {
  if (fields.length < 2) return ''
  const sources = leaves
    .filter((leaf) => isOutOfReach(base, leaf, graph))
    .flatMap((leaf): readonly FieldSource[] => (leaf.kind === 'where-field' ? leaf.members : [leaf.subject]))
  const named = [...new Set(sources.map(({ name, object }) => `'${name}' on '${object}'`))]
  return `: the rows of '${base}' do not reach ${named.join(' or ')}`
}

/** Warnings about conditions that do not reach an aggregate. Throws `FILTER_APPLIES_TO_NOTHING`. */
export function reachWarnings(query: ResolvedQuery, reach: Reach): readonly Finding[] {
  const applied = new ValueSet(reach.applied)
  const ignored = new ValueSet(reach.ignored)
  const missedSomewhere = new ValueSet(reach.missed.map((m) => m.conjunct))
  const idle = query.where.find((c) => !c.shown && !applied.has(c) && (!ignored.has(c) || missedSomewhere.has(c)))
  if (idle) {
    const because = reach.missed.find(({ conjunct }) => conjunct === idle)?.because ?? ''
    const message = `the filter on ${fieldsOf(idle)} cannot be reached from anything that the query selects${because}`
    fail('FILTER_APPLIES_TO_NOTHING', message, { path: idle.path })
  }
  return [...reach.missed.map((m) => m.warning), ...reach.through]
}

const fieldsOf = ({ fields }: Conjunct): string => fields.map((f) => `'${f}'`).join(', ')

/** The conditions that reach an aggregate, and the bridges on which they are read. */
export interface Reached {
  readonly conjuncts: readonly Conjunct[]
  readonly bridges: ReadonlySet<string>
  /** Bridges on which an `exists` is tested: they must be separate relations. */
  readonly separate: ReadonlySet<string>
  readonly reach: Reach
}

/** The conjuncts that reach the rows of `base`. `what` names the aggregate in warnings. */
export function conjunctsFor(
  base: string,
  query: Pick<ResolvedQuery, 'where' | 'graph' | 'strictFilters'>,
  what: string,
): Reached {
  const found = query.where.map((conjunct) => nodesOf(base, conjunct, query) ?? missed(conjunct, { base, what }, query))
  const connections = found.filter((one) => 'bridges' in one)
  const conjuncts = connections.map((one) => one.conjunct)
  return {
    conjuncts,
    bridges: new Set(connections.flatMap((one) => one.bridges)),
    separate: new Set(connections.flatMap((one) => one.separate)),
    reach: { applied: conjuncts, ignored: [], missed: found.filter((one) => 'warning' in one), through: [] },
  }
}

/**
 * The same for the rows that a measure counts: a condition that is read on the rows of another fact is reported, unless the measure does not see it and
 * it decides only which groups are shown. Throws `FILTER_THROUGH_BRIDGE`.
 */
export function conjunctsForMeasure(
  base: string,
  query: Pick<ResolvedQuery, 'where' | 'graph' | 'strictFilters'>,
  measure: Pick<Measure, 'name' | 'filterContext'>,
): Reached {
  const conditions = conjunctsFor(base, query, `'${measure.name}'`)
  const through = conjunctsOf(measure, conditions.conjuncts)
    .filter(({ ofMeasure }) => !ofMeasure)
    .flatMap((conjunct) => {
      const facts = [...(nodesOf(base, conjunct, query)?.bridges ?? [])].filter((node) => isOtherFact(node, query.graph))
      return facts.map((fact) => throughFact({ conjunct, base, fact, measure: measure.name }, query))
    })
  return { ...conditions, reach: { ...conditions.reach, through } }
}

/** Neither a declared bridge, nor a many-to-many join, nor the elements of an array. */
function isOtherFact(node: string, { model }: JoinGraph): boolean {
  const object = model.dataObjects.get(node)
  return object !== undefined && !object.bridge && object.nestedIn === undefined
}

interface ThroughFact {
  readonly conjunct: Conjunct
  readonly base: string
  readonly fact: string
  readonly measure: string
}

function throughFact(
  { conjunct, base, fact, measure }: ThroughFact,
  { strictFilters }: Pick<ResolvedQuery, 'strictFilters'>,
): Finding {
  const message =
    `the filter on ${fieldsOf(conjunct)} reaches '${measure}' only through '${fact}': a row of '${base}' counts if a row of '${fact}' that joins it meets the filter. ` +
    `If '${fact}' only associates others, declare bridge: true on it; if '${measure}' should ignore the filter, exclude the field in its filterContext`
  const details = { path: conjunct.path, context: { measure, dataObject: fact } }
  return strictFilters ? fail('FILTER_THROUGH_BRIDGE', message, details) : warning('FILTER_THROUGH_BRIDGE', message, details)
}

/** The fields by which a condition is reached. */
export const readLeaves = ({ leaves, shown }: Conjunct): Conjunct['leaves'] => (shown ? shown.flatMap(fieldLeaves) : leaves)

interface ReachedConjunct {
  readonly conjunct: Conjunct
  readonly bridges: readonly string[]
  readonly separate: readonly string[]
}

/** The bridges on which a condition is read; `undefined` if it does not reach. Throws `AMBIGUOUS_JOIN`. */
function nodesOf(base: string, conjunct: Conjunct, { graph }: Pick<ResolvedQuery, 'graph'>): ReachedConjunct | undefined {
  const { path } = conjunct
  const leaves = readLeaves(conjunct)
  const bridges = bridgesOf(base, leaves, graph, path)
  if (!bridges) return undefined
  refuseAmbiguous(base, { leaves, path }, graph)
  const subjects = leaves.flatMap((leaf) => (leaf.kind === 'where-exists' ? [locate(base, leaf.subject, graph, path)] : []))
  return { conjunct, bridges: [...bridges], separate: subjects.flatMap((at) => (at?.kind === 'bridge' ? [at.node] : [])) }
}

/** Also if the condition is constant, so that its values do not decide whether it is valid. */
function refuseAmbiguous(base: string, { leaves, path }: Pick<Conjunct, 'leaves' | 'path'>, graph: JoinGraph): void {
  for (const leaf of leaves) {
    const members = leaf.kind === 'where-field' ? (membersFor(base, leaf.members, graph, path) ?? []) : [leaf.subject]
    for (const { object, via, name } of members) {
      const location = locate(base, { object, via, name }, graph, path)
      const found = location && graph.path(location.kind === 'bridge' ? location.node : base, object, via)
      if (found?.kind === 'ambiguous') ambiguousJoin({ object, found, name, path, filters: true }, graph)
    }
  }
}
