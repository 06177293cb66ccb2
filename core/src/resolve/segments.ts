import { fail } from '../errors.js'
import { firstOf } from '../invariant.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { readFilter } from '../query/parse-filter.js'
import type { QueryFilter } from '../query/query-object.js'
import { QueryReader } from '../query/reader.js'
import { find, unknownName } from './lookup.js'

/** A filter with all segments replaced. */
type PlainFilter = Exclude<QueryFilter, { kind: 'segment' }>

/** Filters with their segments replaced; errors in the filters of a segment are reported at the place that names it. */
export function withoutSegments(filters: readonly QueryFilter[], model: SemanticModel): PlainFilter[] {
  return filters.flatMap((filter) => expanded(filter, model))
}

function expanded(filter: QueryFilter, model: SemanticModel): readonly PlainFilter[] {
  switch (filter.kind) {
    case 'segment':
      return withoutSegments(segmentFilters(filter.name, model, filter.path), model)
    case 'group': {
      const members = filter.filters.map((member) => together(expanded(member, model), filter.path))
      return [{ ...filter, filters: members }]
    }
    case 'leaf': {
      const { subquery } = filter
      return [subquery ? { ...filter, subquery: { ...subquery, filter: withoutSegments(subquery.filter, model) } } : filter]
    }
    default:
      return [filter]
  }
}

/** A member of a group is one condition, however many its segment has. */
const together = (filters: readonly PlainFilter[], path: string): PlainFilter =>
  filters.length === 1 ? firstOf(filters) : { kind: 'group', logic: 'and', filters, negated: false, path }

const known = new WeakMap<SemanticModel, Map<string, readonly QueryFilter[]>>()

function segmentFilters(name: string, model: SemanticModel, path: string): readonly QueryFilter[] {
  const segment = find(name, model.segments)
  if (!segment)
    return unknownName('UNKNOWN_FILTER_FIELD', { name, what: 'not a segment of this model', known: model.segments.keys() }, path)
  const read = known.get(model) ?? new Map<string, readonly QueryFilter[]>()
  known.set(model, read)
  const filters = read.get(segment.name) ?? parseSegment(segment.name, segment.filters, path)
  read.set(segment.name, filters)
  return filters.map((filter) => placedAt(filter, path))
}

/** Throws the first error, at `path`, below its place in the segment. */
function parseSegment(name: string, written: readonly unknown[], path: string): QueryFilter[] {
  const reader = new QueryReader()
  const filters = reader.list(written, 'filters', (item, at) => readFilter(item, at, reader))
  const [first] = reader.findings
  if (first)
    fail(first.code, `segment '${name}' cannot be used: ${first.message}`, { path, context: { segment: name, at: first.path } })
  if (filters.some(hasSegment))
    fail('INVALID_SETTING', `segment '${name}' names another segment; segments are not nested`, {
      path,
      context: { segment: name },
    })
  return filters
}

const hasSegment = (filter: QueryFilter): boolean => {
  if (filter.kind === 'group') return filter.filters.some(hasSegment)
  return filter.kind === 'segment' || (filter.kind === 'leaf' && (filter.subquery?.filter.some(hasSegment) ?? false))
}

/** The filter of a segment, with the path at which the query names the segment. */
function placedAt(filter: QueryFilter, path: string): QueryFilter {
  const all = (filters: readonly QueryFilter[]) => filters.map((member) => placedAt(member, path))
  if (filter.kind === 'group') return { ...filter, path, filters: all(filter.filters) }
  if (filter.kind !== 'leaf' || !filter.subquery) return { ...filter, path }
  return { ...filter, path, subquery: { ...filter.subquery, filter: all(filter.subquery.filter) } }
}
