import { fail } from '../errors.js'
import { isTemporal, sameClock } from '../model/data-type.js'
import { type Grain, nameOfGrain } from '../model/grain.js'
import type { Dimension, SemanticModel } from '../model/semantic-model.js'
import type { QueryDimension } from '../query/query-object.js'
import { isSame } from '../same.js'
import { bucketType } from './bucket.js'
import { find, unknownName } from './lookup.js'
import type { FieldSource, ResolvedDimension } from './resolved-query.js'
import { unknownDimension } from './unknown-field.js'

/** A selected dimension, plain or coalesced. Throws `UNKNOWN_DIMENSION`, `TIME_GRAIN_ON_NON_TEMPORAL`, `COALESCE_…`. */
export function resolveDimension(
  selected: Exclude<QueryDimension, { kind: 'expression' | 'per' }>,
  model: SemanticModel,
  path: string,
): ResolvedDimension {
  return selected.kind === 'coalesce' ? resolveCoalesce(selected, model, path) : resolveNamed(selected.text, model, path)
}

/** A dimension as the model declares it, without the grain of the query. Throws `UNKNOWN_DIMENSION`. */
export function declaredDimension(name: string, model: SemanticModel, path: string): ResolvedDimension {
  return resolveNamed(name, model, path)
}

/** The source of a dimension's unbucketed value. */
export function sourceOf(dimension: Dimension): FieldSource {
  const { name, dataObject, via, expression, type } = dimension
  return { name, object: dataObject, via, expression, type }
}

/** Names may contain colons; only a last part that is a grain of the model is split off. The whole text is tried as a name first. */
export function splitGrain(text: string, { grains }: SemanticModel): { name: string; grain: Grain | undefined } {
  const colon = text.lastIndexOf(':')
  const grain = colon > 0 ? find(text.slice(colon + 1).trim(), grains) : undefined
  return grain === undefined ? { name: text, grain } : { name: text.slice(0, colon).trimEnd(), grain }
}

/** `Name` or `Name:grain`. */
function resolveNamed(text: string, model: SemanticModel, path: string): ResolvedDimension {
  const whole = model.dimensions.get(text)
  if (whole) return plain(text, whole, whole.timeGrain, path)
  const { name, grain } = splitGrain(text, model)
  const dimension = find(name, model.dimensions) ?? refuseUnknown(name, model, path)
  const written = grain === undefined ? dimension.name : `${dimension.name}:${nameOfGrain(grain)}`
  return plain(written, dimension, grain ?? dimension.timeGrain, path)
}

function plain(name: string, dimension: Dimension, grain: Grain | undefined, path: string): ResolvedDimension {
  if (grain && !isTemporal(dimension.type)) {
    fail('TIME_GRAIN_ON_NON_TEMPORAL', `'${dimension.name}' is not a date or timestamp and has no ${nameOfGrain(grain)}`, {
      path,
    })
  }
  return {
    name,
    label: name,
    type: grain ? bucketType(grain) : dimension.type,
    members: [sourceOf(dimension)],
    grain,
    sequence: dimension.sequence,
    ...(grain === undefined && dimension.sortBy && { sortBy: dimension.sortBy }),
    format: dimension.format,
    path,
  }
}

function resolveCoalesce(selected: QueryDimension & { kind: 'coalesce' }, model: SemanticModel, path: string): ResolvedDimension {
  const { members, as } = selected
  if (!as) fail('COALESCE_MISSING_ALIAS', 'a coalesce dimension needs a name; add "as"', { path: `${path}.as` })
  if (members.length < 2)
    fail('COALESCE_TOO_FEW_MEMBERS', `'${as}' needs at least two dimensions to coalesce`, { path: `${path}.coalesce` })
  if (model.dimensions.has(as) || model.measures.has(as) || model.metrics.has(as)) {
    fail('COALESCE_ALIAS_COLLISION', `'${as}' is already the name of a field of the model; choose another alias`, {
      path: `${path}.as`,
    })
  }
  if (splitGrain(as, model).grain)
    fail(
      'COALESCE_ALIAS_COLLISION',
      `'${as}' looks like a dimension at a grain; choose another alias and write the grain as "grain"`,
      {
        path: `${path}.as`,
      },
    )
  const dimensions = members.map((name, i) => memberOf(name, model, `${path}.coalesce[${i}]`))
  const [first, ...rest] = dimensions
  if (!first)
    return fail('COALESCE_TOO_FEW_MEMBERS', 'A coalesce dimension needs at least two members', { path: `${path}.coalesce` })
  const other = dimensions.find((d) => !sameClock(d.type, first.type) || d.timeGrain !== first.timeGrain)
  if (other) {
    fail('COALESCE_TYPE_MISMATCH', `'${first.name}' and '${other.name}' differ in type or time grain and cannot be one column`, {
      path: `${path}.coalesce`,
    })
  }
  const grain = selected.grain === undefined ? first.timeGrain : grainNamed(selected.grain, model, `${path}.grain`)
  if (grain && !isTemporal(first.type))
    fail('TIME_GRAIN_ON_NON_TEMPORAL', `'${as}' is not a date or timestamp and has no ${nameOfGrain(grain)}`, {
      path: `${path}.grain`,
    })
  return {
    name: as,
    label: as,
    type: grain ? bucketType(grain) : first.type,
    members: [sourceOf(first), ...rest.map(sourceOf)],
    grain,
    sequence: dimensions.every((d) => same(d.sequence, first.sequence)) ? first.sequence : undefined,
    ...(grain === undefined && dimensions.every((d) => isSortedAlike(d, first)) && { sortBy: first.sortBy }),
    format: first.format,
    path,
  }
}

/** Whether the bins of two members have the same names. */
const same = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

/** The values and the order of both are those of the same columns. */
const isSortedAlike = (a: Dimension, b: Dimension): boolean =>
  a.dataObject === b.dataObject && isSame(a.expression, b.expression) && isSame(a.sortBy, b.sortBy)

export const grainNamed = (name: string, { grains }: SemanticModel, path: string): Grain =>
  find(name, grains) ?? unknownName('INVALID_QUERY', { name, what: 'not a grain of this model', known: grains.keys() }, path)

/** A member is read before bucketing, so it is written without a grain. */
function memberOf(name: string, model: SemanticModel, path: string): Dimension {
  const known = find(name, model.dimensions)
  if (known) return known
  const plainName = splitGrain(name, model).name
  if (find(plainName, model.dimensions))
    fail('UNKNOWN_DIMENSION', `'${name}' is a dimension at a grain; write '${plainName}', and the grain as "grain" beside "as"`, {
      path,
      suggestions: [plainName],
    })
  return refuseUnknown(name, model, path)
}

function refuseUnknown(name: string, model: SemanticModel, path: string): never {
  if (model.measures.has(name) || model.metrics.has(name)) {
    return fail('UNKNOWN_DIMENSION', `'${name}' is a measure, not a dimension; move it to select.measures`, {
      path,
      suggestions: [],
    })
  }
  return unknownDimension('UNKNOWN_DIMENSION', name, model, path)
}
