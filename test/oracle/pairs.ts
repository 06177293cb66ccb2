/** Which two features are combined in answered cases, how often, and which cannot be. */

import type { Case } from './generate/case.js'
import { FEATURES, type Feature, featuresOf } from './generate/features.js'
import type { Later } from './generate/later.js'

export type PairCounts = ReadonlyMap<string, number>

export const pairOf = (a: Feature, b: Feature): string => `${a} × ${b}`

/** Counts every pair, and each feature with itself, in the given cases. */
export function pairCounter(): { readonly counts: PairCounts; readonly see: (one: Pick<Case, 'model' | 'query'>) => void } {
  const counts = new Map<string, number>()
  const see = ({ model, query }: Pick<Case, 'model' | 'query'>): void => {
    const tags = featuresOf(model, query)
    for (const [i, a] of tags.entries())
      for (const b of tags.slice(i)) counts.set(pairOf(a, b), (counts.get(pairOf(a, b)) ?? 0) + 1)
  }
  return { counts, see }
}

/** Features that only occur in cases of a kind. */
const KIND_OF: Partial<Record<Feature, Later>> = {
  'semi-additive': 'semi',
  aggregate: 'aggregate',
  conversion: 'conversion',
  funnel: 'funnel',
  'nested-time': 'nesting',
  'first-last': 'firstlast',
  segment: 'segments',
  bins: 'bins',
  sets: 'sets',
  'cross-fact': 'cross',
  'fill-gaps': 'gaps',
  'several-grains': 'grains',
  conditions: 'aggregations',
  'fan-out': 'fanout',
  calendar: 'calendars',
  'array-elements': 'nested',
  'time-zone': 'zones',
  top: 'top',
  'rows-of': 'rows',
  'sort-by': 'sorted',
  'unselected-order': 'sorted',
  parameter: 'parameters',
  'measure-column': 'entities',
  'existence-column': 'existence',
  'existence-filter': 'existence',
  'window-column': 'windowed',
}

/** The pairs that may occur among the given kinds and have not occurred. */
export function missingPairs(counts: PairCounts, later: readonly Later[]): readonly string[] {
  const generated = (f: Feature): boolean => KIND_OF[f] === undefined || later.includes(KIND_OF[f])
  return allPairs()
    .filter(([a, b]) => generated(a) && generated(b) && impossible(a, b) === undefined && !counts.has(pairOf(a, b)))
    .map(([a, b]) => pairOf(a, b))
}

/** Why a pair never has an answer; undefined if it may have one. */
export function impossible(a: Feature, b: Feature): string | undefined {
  for (const { feature, others, why } of RULES) {
    if (feature === a && others(b)) return why
    if (feature === b && others(a)) return why
  }
  return undefined
}

const allPairs = (): readonly (readonly [Feature, Feature])[] =>
  FEATURES.flatMap((a, i) => FEATURES.slice(i + 1).map((b) => [a, b] as const))

const among =
  (...features: readonly Feature[]) =>
  (f: Feature): boolean =>
    features.includes(f)
const OF_MEASURES = among(
  'multi-fact', 'bridge', 'many-to-many', 'required', 'measure-filter', 'default-value', 'data-type', 'distinct-count', 'statistics', 'conditions', 'listagg', 'first-last', 'cross-fact',
  'semi-additive', 'grain', 'filter-context', 'derived', 'pop', 'cumulative', 'cumulative-type', 'window', 'aggregate', 'conversion', 'funnel', 'nested-time',
  'rollup', 'cube', 'sets', 'having', 'fan-out', 'shown',
) // biome-ignore format: a table
const OF_DIMENSIONS = among('coalesce', 'time-grain', 'several-grains', 'dimensions-only', 'dimensions-exclude')

interface Rule {
  readonly feature: Feature
  readonly others: (other: Feature) => boolean
  readonly why: string
}

const RULES: readonly Rule[] = [
  { feature: 'raw', others: (f) => OF_MEASURES(f) || OF_DIMENSIONS(f), why: 'raw fields stand alone' },
  { feature: 'distinct-rows', others: (f) => OF_MEASURES(f) || OF_DIMENSIONS(f), why: 'raw fields stand alone' },
  { feature: 'dimensions-only', others: OF_MEASURES, why: 'there is no measure' },
  { feature: 'dimensions-exclude', others: (f) => OF_MEASURES(f) || f === 'dimensions-only', why: 'there is no measure' },
  {
    feature: 'fill-gaps',
    others: among('raw', 'distinct-rows', 'dimensions-exclude'),
    why: 'refused: only periods of an answer have gaps',
  },
  {
    feature: 'top',
    others: among('raw', 'distinct-rows', 'dimensions-exclude'),
    why: 'refused: there are no groups with a measure',
  },
  { feature: 'unselected-order', others: among('raw', 'distinct-rows'), why: 'raw fields stand alone' },
  { feature: 'sort-by', others: among('raw', 'distinct-rows'), why: 'raw fields stand alone' },
  { feature: 'rows-of', others: among('raw', 'distinct-rows'), why: 'refused: raw rows are no combinations' },
  { feature: 'rollup', others: among('cube', 'sets'), why: 'one grouping per question' },
  { feature: 'cube', others: among('sets'), why: 'one grouping per question' },
  {
    feature: 'one-to-one',
    others: among('coalesce'),
    why: 'not generated: which row of a one-to-one pair a coalesce means is nobody’s question',
  },
  { feature: 'one-to-one', others: among('many-to-many'), why: 'not generated: a model has one of them' },
]
