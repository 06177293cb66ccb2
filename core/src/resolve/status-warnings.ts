import { componentsOf, type Graded, type SemanticModel } from '../model/semantic-model.js'
import type { QueryDimension, QueryFilter, QueryObject } from '../query/query-object.js'
import { splitGrain } from './fields.js'
import { find } from './lookup.js'
import type { ResolveContext } from './resolved-query.js'

/** Warnings about fields that are proposed or deprecated, each once, for any use in the query. */
export function warnOfStatus(query: QueryObject, context: ResolveContext): void {
  if (!hasRemarks(context.model)) return
  const looked = new Set<string>()
  const seen = new Set<string>()
  for (const { text, path } of namesIn(query)) {
    if (looked.has(text)) continue
    looked.add(text)
    const { name } = splitGrain(text, context.model)
    for (const field of withComponents(name, context)) {
      if (seen.has(field.name)) continue
      seen.add(field.name)
      warnOf(field, name, path, context)
    }
  }
}

/** Whether any field of a model is proposed or deprecated: mostly none is. */
const withRemarks = new WeakMap<SemanticModel, boolean>()

function hasRemarks(model: SemanticModel): boolean {
  const known = withRemarks.get(model)
  if (known !== undefined) return known
  const fields: readonly Graded[] = [...model.dimensions.values(), ...model.measures.values(), ...model.metrics.values()]
  const found = fields.some(({ status }) => status === 'proposed' || status === 'deprecated')
  withRemarks.set(model, found)
  return found
}

type Standing = Graded & { readonly name: string }

function warnOf({ name, status, use }: Standing, asked: string, path: string, { warn }: ResolveContext): void {
  const part = name.toLowerCase() === asked.toLowerCase() ? `'${name}'` : `'${name}', which '${asked}' is made of,`
  if (status === 'proposed') warn('PROPOSED_FIELD', `${part} is proposed and not certified`, { path })
  if (status !== 'deprecated') return
  const message = `${part} is deprecated${use === undefined ? '' : `: use '${use}'`}`
  warn('DEPRECATED_FIELD', message, { path, ...(use !== undefined && { hint: `Use '${use}'`, suggestions: [use] }) })
}

/** The field, and for a metric all of its components. */
function withComponents(name: string, { model }: ResolveContext): readonly Standing[] {
  const dimension = find(name, model.dimensions)
  if (dimension !== undefined) return [dimension]
  const found = new Map<string, Standing>()
  const queue = [name]
  for (const each of queue) {
    const metric = find(each, model.metrics)
    const field = metric ?? find(each, model.measures)
    if (field === undefined || found.has(field.name)) continue
    found.set(field.name, field)
    if (metric !== undefined) queue.push(...componentsOf(metric))
  }
  return [...found.values()]
}

interface Reference {
  /** A field, and perhaps a grain. */
  readonly text: string
  readonly path: string
}

function* namesIn({ select, where, having, order_by, top, columns = [] }: QueryObject): Iterable<Reference> {
  for (const [i, { measure }] of columns.entries()) yield { text: measure, path: `columns[${i}].measure` }
  for (const [i, dimension] of select.dimensions.entries())
    for (const text of dimensionNames(dimension)) yield { text, path: `select.dimensions[${i}]` }
  for (const [i, text] of select.measures.entries()) yield { text, path: `select.measures[${i}]` }
  for (const filter of [...where, ...having]) yield* filterNames(filter)
  if (top) yield { text: top.by, path: 'top.by' }
  for (const [i, { field }] of order_by.entries()) if (typeof field === 'string') yield { text: field, path: `order_by[${i}]` }
}

function dimensionNames(dimension: QueryDimension): readonly string[] {
  switch (dimension.kind) {
    case 'name':
      return [dimension.text]
    case 'coalesce':
      return dimension.members
    case 'per':
      return [dimension.measure]
    case 'expression':
      return bracketed(dimension.expression)
  }
}

function* filterNames(filter: QueryFilter): Iterable<Reference> {
  switch (filter.kind) {
    case 'leaf':
      yield { text: filter.field, path: filter.path }
      return
    case 'group':
      for (const member of filter.filters) yield* filterNames(member)
      return
    case 'expression':
      for (const text of bracketed(filter.expression)) yield { text, path: filter.path }
      return
    case 'segment':
      return
  }
}

/** Names in `{[Name]}`, as expressions spell fields. */
const bracketed = (expression: string): readonly string[] =>
  [...expression.matchAll(/\{\[((?:[^\]{]|\{(?!\[))+)\]\}/g)].map(([, name]) => name!)
