/** The parts of the measures and metrics of the model, and the kinds of their values. */
import { canonicalAggregation, computesInDouble, isCount } from './aggregates.js'
import { type Atom, atomOf, rowCounts } from './atoms.js'
import { isChoice, kindOfExpression, type Node, parseExpression, refsOf } from './expressions.js'
import type { MetricJson } from './model.js'
import { refuse } from './refusal.js'
import { parseDec, toDouble, type Value } from './values.js'
import { columnOfRef, type Kind, type World } from './world.js'

export type MetricType = 'derived' | 'window' | 'period_over_period' | 'cumulative'
const FROM_ROWS: readonly string[] = ['aggregate', 'conversion', 'funnel']

/** A metric that is computed from other values of the row; undefined if `name` is none. */
export function metricOf(world: World, name: string): MetricJson | undefined {
  const metric = world.model.metrics?.[name]
  return metric && !FROM_ROWS.includes(metric.type ?? 'derived') ? metric : undefined
}

/** A metric that reads its own rows, as measures do. */
export function rowMetricOf(world: World, name: string): MetricJson | undefined {
  const metric = world.model.metrics?.[name]
  return metric && FROM_ROWS.includes(metric.type ?? 'derived') ? metric : undefined
}

export const typeOf = (metric: MetricJson): MetricType => (metric.type ?? 'derived') as MetricType

/** The formula of a metric or of its base. */
export const baseOf = ({ expression, measure }: MetricJson): Node =>
  expression === undefined ? { kind: 'ref', parts: [measure!] } : parseExpression(expression)

export const componentsOf = (metric: MetricJson): string[] => refsOf(baseOf(metric)).map((r) => r.parts[0]!)

/** True if a window, a prior period or a running value is part of it. */
export function isOverTime(world: World, name: string): boolean {
  const { type = 'derived', ...metric } = world.model.metrics?.[name] ?? {}
  if (type === 'conversion' || type === 'funnel') return false
  if (type !== 'derived' && type !== 'aggregate') return true
  return (metric.expression === undefined && metric.measure === undefined ? [] : componentsOf(metric)).some((c) =>
    isOverTime(world, c),
  )
}

/** The time dimension that a metric runs along, if it has one. */
export const timeOf = (metric: MetricJson): string | undefined => metric.periodOverPeriod?.timeDimension ?? metric.timeDimension

/** `names` and every metric below them, each once. */
export function metricsBelow(world: World, names: readonly string[], seen: Set<string> = new Set()): readonly string[] {
  for (const name of names) {
    const metric = metricOf(world, name)
    if (!metric || seen.has(name)) continue
    seen.add(name)
    metricsBelow(world, componentsOf(metric), seen)
  }
  return [...seen]
}

/** The measures below a measure or metric, and the metrics that read rows like these. */
export function atomNames(world: World, name: string, inside: readonly string[] = []): string[] {
  if (inside.includes(name)) refuse('CYCLIC_METRIC', name)
  const metric = metricOf(world, name)
  if (metric) return [...new Set(componentsOf(metric).flatMap((c) => atomNames(world, c, [...inside, name])))]
  if (!world.model.measures?.[name] && !rowCounts(world).has(name) && !rowMetricOf(world, name)) refuse('UNKNOWN_MEASURE', name)
  return [name]
}

/** The measures below the base of a metric. */
export const atomsOf = (world: World, metric: MetricJson): readonly string[] => [
  ...new Set(componentsOf(metric).flatMap((c) => atomNames(world, c))),
]

export function atomNamed(world: World, name: string): Atom {
  const known = world.memo.get(`atom ${name}`) as Atom | undefined
  const atom = known ?? atomOf(world, name) ?? refuse('UNKNOWN_MEASURE', name)
  world.memo.set(`atom ${name}`, atom)
  return atom
}

export function kindOfName(world: World, name: string): Kind {
  const fromRows = rowMetricOf(world, name)
  if (fromRows) return kindOfRowMetric(world, fromRows)
  const metric = metricOf(world, name)
  if (!metric) return atomNamed(world, name).kind
  const { comparison } = metric.periodOverPeriod ?? {}
  if (comparison === 'ratio' || comparison === 'percentChange' || metric.cumulativeType === 'avg') return 'float'
  if (metric.cumulativeType === 'count' || NUMBERING.includes(metric.windowFunction ?? '')) return 'int'
  return kindOfNode(world, baseOf(metric))
}

function kindOfRowMetric(world: World, { type, calculation, aggregation, measure }: MetricJson): Kind {
  if (type === 'conversion' || type === 'funnel') return calculation === 'count' ? 'int' : 'float'
  const fold = canonicalAggregation(aggregation!)
  return isCount(fold) ? 'int' : computesInDouble(fold) ? 'float' : kindOfName(world, measure!)
}

const NUMBERING: readonly string[] = ['rank', 'dense_rank', 'row_number', 'ntile']

/** The kind of a formula over measures and metrics. */
export function kindOfNode(world: World, node: Node): Kind {
  return kindOfExpression(node, (ref) => kindOfName(world, ref.parts[0]!))
}

/** Whether the values of a measure or metric are instants. */
export function isInstantName(world: World, name: string): boolean {
  const metric = metricOf(world, name)
  if (metric) return !isNumbering(metric) && isInstantNode(world, baseOf(metric))
  const { home, inputs, aggregation } = atomNamed(world, name)
  const [input] = inputs
  if (!input || !PICKED.includes(aggregation.name)) return false
  return isChoice(input) && refsOf(input).every((ref) => columnOfRef(world, home, ref).isInstant)
}

const PICKED: readonly string[] = ['min', 'max', 'any_value', 'mode', 'first', 'last']
const isNumbering = ({ windowFunction = '', cumulativeType }: MetricJson): boolean =>
  NUMBERING.includes(windowFunction) || cumulativeType === 'count'
const isInstantNode = (world: World, node: Node): boolean =>
  isChoice(node) && refsOf(node).every((ref) => isInstantName(world, ref.parts[0]!))

/** A default as a value of its field's kind; NULL if there is none. */
export function defaultValueOf(written: string | number | boolean | undefined, kind: Kind): Value {
  if (written === undefined) return null
  if (kind === 'string') return String(written)
  if (typeof written === 'boolean') return written
  const exact = parseDec(String(written))!
  return kind === 'float' ? toDouble(exact) : exact
}
