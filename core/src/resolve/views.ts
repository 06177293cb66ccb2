import { fail, GrainlineError } from '../errors.js'
import { isHiddenName } from '../hidden-name.js'
import type { SemanticModel, View } from '../model/semantic-model.js'
import { type ViewModel, viewModel } from '../model/view-model.js'
import type { QueryFilter, QueryObject } from '../query/query-object.js'
import { readFilters } from '../query/read-filters.js'
import { find, unknownName } from './lookup.js'

/** A query and the model that it asks. */
export interface QueryOfView {
  readonly query: QueryObject
  readonly model: SemanticModel
  /** The names in the model of the fields that are not in the view, by those that they have here. */
  readonly others: ViewModel['others'] | undefined
}

/** The question to the view that a query names: to the model with the names of the view, under its conditions. Throws `UNKNOWN_VIEW`. */
export function queryOfView(query: QueryObject, model: SemanticModel): QueryOfView {
  if (query.view === undefined) return { query, model, others: undefined }
  if (query.select.fields.length > 0)
    fail('INVALID_QUERY', 'select.fields reads columns of data objects, and a view has fields of the model; leave out view', {
      path: 'select.fields',
    })
  const view = viewNamed(query.view, model)
  const { model: own, where, others } = viewModel(view, model)
  return { query: { ...query, where: [...query.where, ...filtersOf('view', view.name, where)] }, model: own, others }
}

export function viewNamed(name: string, { views }: SemanticModel): View {
  const found = find(name, views)
  return found ?? unknownName('UNKNOWN_VIEW', { name, what: 'not a view of this model', known: views.keys() }, 'view')
}

/** Throws the first error of the conditions of a view or a rollup. */
export function filtersOf(what: 'view' | 'rollup', name: string, where: readonly unknown[]): readonly QueryFilter[] {
  const read = readFilters(where)
  if ('filters' in read) return read.filters
  const { code, message, path } = read.fault
  return fail(code, `${what} '${name}' cannot be used: ${message}`, { path: what, context: { at: path } })
}

/** Data of an answer, with the names of the model for the fields that are not in the view. */
export function named<T>(data: T, others: QueryOfView['others']): T {
  if (!others || others.size === 0) return data
  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)
  const readable = [...others].filter(([name]) => !isHiddenName(name))
  const written = readable.reduce((text, [name, own]) => text.replaceAll(inJson(name), () => inJson(own)), JSON.stringify(data))
  return JSON.parse(written.replace(/hidden_[0-9a-f]{32}/g, (name) => inJson(others.get(name) ?? name))) as T
}

/** An error of a question to a view, with the names of the model for the fields that are not in it. */
export function namedError(error: unknown, others: QueryOfView['others']): unknown {
  if (!others || !(error instanceof GrainlineError)) return error
  const { cause, hint, ...details } = error.details
  return new GrainlineError(error.code, named(error.message, others), {
    ...named(details, others),
    ...(hint !== undefined && { hint: named(hint, others) }),
    ...(cause !== undefined && { cause }),
  })
}
