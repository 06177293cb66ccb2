/** Measures and metrics that a query writes itself. Only this query sees them as fields of the model. */
import { errorOf, type Finding, fail } from '../errors.js'
import { type OwnMeasure, readOwnMeasures } from '../model/analyse/own-measures.js'
import { type Fault, toFinding } from '../model/faults.js'
import { computedModel, type SemanticModel } from '../model/semantic-model.js'
import type { QueryMeasure, QueryObject } from '../query/query-object.js'
import { find } from './lookup.js'
import type { ResolveContext } from './resolved-query.js'

type Catalogue = Pick<ResolveContext, 'functions' | 'aggregates'>

/** A model with the measures of a query, and the warnings about them. */
export interface ModelOfQuery {
  readonly model: SemanticModel
  readonly warnings: readonly Finding[]
}

/** The model with the measures that the query writes; the same one if it writes none. Throws the errors of a model, with places in the query. */
export function withOwnMeasures(
  { measures = [], view }: Pick<QueryObject, 'measures' | 'view'>,
  model: SemanticModel,
  catalogue: Catalogue,
): ModelOfQuery {
  if (measures.length === 0) return { model, warnings: [] }
  if (view !== undefined)
    fail('INVALID_QUERY', "a view has the fields that its author chose; leave out 'view', or add the measure to the model", {
      path: 'measures',
    })
  const key = JSON.stringify(measures)
  if (HAS.get(model) === key) return { model, warnings: [] }
  const known = latest.get(model) ?? new Map<string, ModelOfQuery>()
  latest.set(model, known)
  const found = known.get(key)
  if (found) return found
  refuseNames(measures, model)
  const made = read(measures, model, catalogue)
  if (known.size >= MOST) known.clear()
  known.set(key, made)
  HAS.set(made.model, key)
  return made
}

/** The measures that each model has from a query. A model that has them already needs them no second time. */
const HAS = new WeakMap<SemanticModel, string>()

const latest = new WeakMap<SemanticModel, Map<string, ModelOfQuery>>()
/** Each of these models has separate caches, so only a few are kept. */
const MOST = 8

function refuseNames(own: readonly QueryMeasure[], model: SemanticModel): void {
  const seen = new Set<string>()
  for (const { as, path } of own) {
    const { dimensions, measures, metrics } = computedModel(model)
    if (seen.has(as)) fail('INVALID_QUERY', `'${as}' is written twice`, { path: `${path}.as` })
    if ([dimensions, measures, metrics].some((fields) => find<unknown>(as, fields) !== undefined))
      fail('INVALID_QUERY', `'${as}' is already the name of a field of the model; choose another`, { path: `${path}.as` })
    seen.add(as)
  }
}

function read(own: readonly QueryMeasure[], model: SemanticModel, catalogue: Catalogue): ModelOfQuery {
  const entries = own.map(({ as, definition }): OwnMeasure => ({ name: as, definition }))
  const { measures, metrics, faults } = readOwnMeasures(entries, model, catalogue)
  const findings = faults.map((fault) => ({ ...toFinding(fault, undefined), path: placeOf(fault, own) }))
  const [first, ...others] = findings.filter(({ severity }) => severity === 'error')
  if (first) throw errorOf(first, others)
  const written = (fields: ReadonlyMap<string, unknown>) =>
    Object.fromEntries(own.flatMap(({ as, definition }) => (fields.has(as) ? [[as, definition]] : [])))
  const added = (to: SemanticModel): SemanticModel => ({
    ...to,
    // Receipts repeat these definitions. They name the version of the model by the hash of the model's document, which stays the same.
    document: {
      ...to.document,
      measures: { ...to.document.measures, ...written(measures) },
      metrics: { ...to.document.metrics, ...written(metrics) },
    } as SemanticModel['document'],
    measures: new Map([...to.measures, ...measures]),
    metrics: new Map([...to.metrics, ...metrics]),
    own: new Set(own.map(({ as }) => as)),
  })
  const { hiding } = model
  return {
    model: hiding ? { ...added(model), hiding: { ...hiding, computed: added(hiding.computed) } } : added(model),
    warnings: findings,
  }
}

/** `select.measures[0].expression` */
function placeOf({ segments: [at, ...rest] }: Fault, own: readonly QueryMeasure[]): string {
  const { path } = own[Number(at)] ?? { path: 'measures' }
  return rest.reduce<string>((place, key) => (typeof key === 'number' ? `${place}[${key}]` : `${place}.${key}`), path)
}
