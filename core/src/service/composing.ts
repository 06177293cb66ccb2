import { rowCountOf } from '../discovery/row-count-of.js'
import { fail } from '../errors.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { isRecord } from '../model/shape.js'
import { didYouMean, nearest, shown } from '../nearest.js'
import { parseQuery } from '../query/parse-query.js'
import type { QueryLimits } from '../query/query-limits.js'
import type { QueryObject } from '../query/query-object.js'
import type { ComposablesRequest } from './asking.js'
import { matchName } from './find-by-name.js'

/** The query for anchors and a partial query, and the model to compile it with. Throws `FIELD_NOT_FOUND` and the errors of `parseQuery`. */
export function composing(
  { anchors = [], query }: Pick<ComposablesRequest, 'anchors' | 'query'>,
  model: SemanticModel,
  limits: QueryLimits,
): { readonly query: QueryObject; readonly model: SemanticModel } {
  return anchors.reduce((draft, anchor, i) => withAnchor(draft, anchor, `anchors[${i}]`), {
    query: partial(query, limits),
    model,
  })
}

type Composing = ReturnType<typeof composing>

/** A partial query: it may select nothing yet, which `parseQuery` alone refuses. */
function partial(json: unknown, limits: QueryLimits): QueryObject {
  const record = json === undefined || json === null ? {} : json
  if (!isRecord(record)) return parseQuery(record, limits)
  const select = record.select ?? {}
  if (!isRecord(select) || !isEmpty(select)) return parseQuery(record, limits)
  const parsed = parseQuery({ ...record, select: { ...select, dimensions: ['-'] } }, limits)
  return { ...parsed, select: { ...parsed.select, dimensions: [] } }
}

const isEmpty = ({ dimensions, measures, fields }: Readonly<Record<string, unknown>>): boolean =>
  [dimensions, measures, fields].every(
    (list) => list === undefined || list === null || (Array.isArray(list) && list.length === 0),
  )

function withAnchor({ query, model }: Composing, anchor: string, path: string): Composing {
  const { select } = query
  const dimension = matchName(anchor, model.dimensions.keys())
  if (dimension !== undefined) {
    const added = { kind: 'name', text: dimension } as const
    const has = select.dimensions.some((d) => d.kind === 'name' && d.text === dimension)
    return { model, query: has ? query : { ...query, select: { ...select, dimensions: [...select.dimensions, added] } } }
  }
  const measure = matchName(anchor, [...model.measures.keys(), ...model.metrics.keys()])
  if (measure !== undefined) return { model, query: withMeasure(query, measure) }
  const object = matchName(anchor, model.dataObjects.keys()) ?? refuse(anchor, model, path)
  const counted = rowCountOf(object, model)
  return { model: counted.model, query: withMeasure(query, counted.count) }
}

const withMeasure = (query: QueryObject, name: string): QueryObject =>
  query.select.measures.includes(name)
    ? query
    : { ...query, select: { ...query.select, measures: [...query.select.measures, name] } }

function refuse(anchor: string, { dimensions, measures, metrics, dataObjects }: SemanticModel, path: string): never {
  const names = [dimensions, measures, metrics, dataObjects].flatMap((map) => [...map.keys()])
  const suggestions = nearest(anchor, names)
  const message = `'${shown(anchor)}' is not a field or data object of this model${didYouMean(suggestions)}`
  return fail('FIELD_NOT_FOUND', message, { path, ...(suggestions.length > 0 && { suggestions }) })
}
