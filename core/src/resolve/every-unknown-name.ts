import { errorOf, type Finding, GrainlineError } from '../errors.js'
import type { QueryFilter, QueryObject } from '../query/query-object.js'
import { resolveDimension } from './fields.js'
import { resolveField } from './filters.js'
import { find, findColumn } from './lookup.js'
import type { ResolveContext } from './resolved-query.js'
import { unknownMeasure } from './unknown-field.js'

const OF_NAMES: ReadonlySet<string> = new Set([
  'UNKNOWN_DIMENSION',
  'UNKNOWN_MEASURE',
  'UNKNOWN_FILTER_FIELD',
  'RAW_FIELD_UNKNOWN_COLUMN',
])

/** An error about one unknown name becomes one about every unknown name of the query; any other error is unchanged. */
export function withEveryUnknownName(error: unknown, query: QueryObject, context: ResolveContext): unknown {
  if (!(error instanceof GrainlineError) || !OF_NAMES.has(error.code)) return error
  const others = unknownNames(query, context).filter(({ path }) => path !== error.path)
  if (others.length === 0) return error
  return errorOf(error.toFinding(), others)
}

/** More names than a query of a person has. */
const MOST = 100

function unknownNames({ select, where, having, top }: QueryObject, context: ResolveContext): Finding[] {
  const { model } = context
  const aliases = new Set(select.dimensions.flatMap((d) => (d.kind === 'name' ? [] : [d.as])))
  const isMeasure = (name: string) => find(name, model.measures) ?? find(name, model.metrics)
  const checks = [
    ...select.dimensions.map(
      (d, i) => () => d.kind !== 'expression' && d.kind !== 'per' && resolveDimension(d, model, `select.dimensions[${i}]`),
    ),
    ...select.measures.map(
      (name, i) => () =>
        isMeasure(name) ??
        find(name, model.dimensions) ??
        unknownMeasure('UNKNOWN_MEASURE', name, model, `select.measures[${i}]`),
    ),
    ...(top
      ? [() => isMeasure(top.by) ?? find(top.by, model.dimensions) ?? unknownMeasure('UNKNOWN_MEASURE', top.by, model, 'top.by')]
      : []),
    ...where.flatMap(leavesOf).map(
      ({ field, path }) =>
        () =>
          aliases.has(field) || resolveField(field, context, `${path}.field`),
    ),
    ...having.flatMap(leavesOf).map(
      ({ field, path }) =>
        () =>
          isMeasure(field) ??
          find(field.split(':')[0]!, model.dimensions) ??
          (aliases.has(field) ||
            findColumn(field, model) ||
            unknownMeasure('UNKNOWN_FILTER_FIELD', field, model, `${path}.field`)),
    ),
  ]
  return checks.slice(0, MOST).flatMap(refusalOf)
}

type Leaf = QueryFilter & { readonly kind: 'leaf' }

/** Conditions on fields; exists filters name their fields in another way. */
function leavesOf(filter: QueryFilter): readonly Leaf[] {
  if (filter.kind === 'group') return filter.filters.flatMap(leavesOf)
  return filter.kind === 'leaf' && filter.op !== 'exists' && filter.op !== 'nonexists' ? [filter] : []
}

function refusalOf(check: () => unknown): Finding[] {
  try {
    check()
    return []
  } catch (error) {
    if (error instanceof GrainlineError) return [error.toFinding()]
    throw error
  }
}
