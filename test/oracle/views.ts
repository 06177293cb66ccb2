/** Views: a question to a view is the question to the model with the names of the model, under the conditions of the view. */
import type { HavingJson, Json, ModelJson, QueryJson, WrittenJson } from './model.js'
import { refuse } from './refusal.js'

interface Unviewed {
  readonly query: QueryJson
  /** The name of a column of the answer in the view. */
  readonly shown: (column: string) => string
}

export function withoutView(model: ModelJson, query: QueryJson): Unviewed {
  const { view: name, ...asked } = query
  if (name === undefined) return { query, shown: (column) => column }
  const view = model.views?.[name] ?? refuse('UNKNOWN_VIEW', name)
  const fields = new Map(view.fields.map(({ field, as }) => [as, field]))
  const names = new Map(view.fields.map(({ field, as }) => [field, as]))
  const { where = [], ...rest } = inOtherNames(model, asked, (text) => fields.get(text))
  return {
    query: { ...rest, where: [...where, ...(view.where ?? [])] },
    shown: (column) => otherName(column, (text) => names.get(text)),
  }
}

/** `undefined` for what is no field. */
type NameOf = (text: string) => string | undefined

/** The query with other names for its fields; columns of objects keep theirs. */
export function inOtherNames(model: ModelJson, query: QueryJson, nameOf: NameOf): QueryJson {
  const { select, where, having, order_by, top, grouping, compare } = query
  const name = (text: string): string => otherName(text, nameOf)
  const own = new Set((select.dimensions ?? []).flatMap((d) => (typeof d === 'string' ? [] : [d.as])))
  const ofQuery: NameOf = (text) => (own.has(text) ? undefined : nameOf(text))
  const filters = <F extends WrittenJson | HavingJson>(list: readonly F[]): readonly F[] =>
    list.map((filter) => renamed(model, filter as unknown as Json, ofQuery) as unknown as F)
  return {
    ...query,
    select: {
      ...select,
      ...(select.dimensions && {
        dimensions: select.dimensions.map((d) => (typeof d === 'string' ? name(d) : { ...d, coalesce: d.coalesce.map(name) })),
      }),
      ...(select.measures && { measures: select.measures.map(name) }),
    },
    ...(where && { where: filters(where) }),
    ...(having && { having: filters(having) }),
    ...(order_by && {
      order_by: order_by.map((o) => (typeof o.field === 'string' ? { ...o, field: otherName(o.field, ofQuery) } : o)),
    }),
    ...(compare && { compare: { ...compare, time: name(compare.time) } }),
    ...(top && { top: { ...top, dimension: otherName(top.dimension, ofQuery), by: name(top.by) } }),
    ...(typeof grouping === 'object' &&
      typeof grouping.sets === 'object' && {
        grouping: { ...grouping, sets: grouping.sets.map((set) => set.map((one) => otherName(one, ofQuery))) },
      }),
  }
}

/** A name with a grain, or that of a column which marks totals or others, or shows the other side of a comparison. */
function otherName(text: string, nameOf: NameOf): string {
  const whole = nameOf(text)
  if (whole !== undefined) return whole
  const parts = /^(.*?)((?::\w+)?(?: is total| is others| before| difference| ratio| change)?)$/s.exec(text)!
  const base = nameOf(parts[1]!)
  return base === undefined ? text : `${base}${parts[2]}`
}

function renamed(model: ModelJson, filter: Json, nameOf: NameOf, target?: string): Json {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) return filter
  const { field, expression, filters, subquery } = filter as Readonly<Record<string, Json>>
  const inside = subquery as { readonly dataObject: string; readonly filter?: readonly Json[] } | undefined
  const isOwn = typeof field === 'string' && target !== undefined && model.dataObjects[target]?.columns[field] !== undefined
  return {
    ...filter,
    ...(typeof field === 'string' && !isOwn && { field: otherName(field, nameOf) }),
    ...(typeof expression === 'string' && {
      expression: expression.replace(/\{\[([^\]]+)\]\}/g, (_, text: string) => `{[${otherName(text, nameOf)}]}`),
    }),
    ...(filters !== undefined && { filters: (filters as readonly Json[]).map((f) => renamed(model, f, nameOf, target)) }),
    ...(inside?.filter && {
      subquery: { ...inside, filter: inside.filter.map((f) => renamed(model, f, nameOf, inside.dataObject)) },
    }),
  } as Json
}
