/** Declared synonyms as names in a query. */
import { type Finding, warning } from '../errors.js'
import { namesHidden } from '../hidden-name.js'
import { isOffered, type SemanticModel } from '../model/semantic-model.js'
import type { QueryDimension, QueryFilter, QueryObject } from '../query/query-object.js'
import { splitGrain } from './fields.js'
import { find } from './lookup.js'

const known = new WeakMap<SemanticModel, ReadonlyMap<string, string>>()

/** The field of which a text is a synonym, and of no other one; `undefined` if it is a name itself. */
export function fieldOfSynonym(text: string, model: SemanticModel): string | undefined {
  const names = known.get(model) ?? synonymsOf(model)
  known.set(model, names)
  return names.get(text.toLowerCase())
}

/** In lower case. A synonym of two fields, or one that is the name of something else in a query, means none of them. */
function synonymsOf(model: SemanticModel): ReadonlyMap<string, string> {
  const { dimensions, measures, metrics, segments, dataObjects } = model
  const taken = new Set([dimensions, measures, metrics, segments, dataObjects].flatMap((map) => [...map.keys()].map(lower)))
  const fields = new Map<string, Set<string>>()
  for (const { name, synonyms, hidden } of [...dimensions.values(), ...measures.values(), ...metrics.values()]) {
    if (namesHidden(name) || !isOffered({ hidden: hidden ?? false })) continue
    for (const synonym of synonyms.map(lower)) {
      if (taken.has(synonym)) continue
      fields.set(synonym, (fields.get(synonym) ?? new Set()).add(name))
    }
  }
  return new Map([...fields].flatMap(([synonym, [only, ...others]]) => (only && others.length === 0 ? [[synonym, only]] : [])))
}

const lower = (text: string): string => text.toLowerCase()

/** A query with the names of fields in place of synonyms, and what is to be said about these. */
export interface NamedQuery {
  readonly query: QueryObject
  readonly warnings: readonly Finding[]
}

/** The query itself if it names no field by a synonym. */
export function withFieldNames(query: QueryObject, model: SemanticModel): NamedQuery {
  const warnings: Finding[] = []
  const own = new Set(query.select.dimensions.flatMap((d) => (d.kind === 'name' ? [] : [d.as])))
  const named = new FieldNames(model, own, warnings).query(query)
  return warnings.length === 0 ? { query, warnings } : { query: named, warnings }
}

class FieldNames {
  readonly #said = new Set<string>()

  constructor(
    private readonly model: SemanticModel,
    /** The names that the query itself gives. */
    private readonly own: ReadonlySet<string>,
    private readonly warnings: Finding[],
  ) {}

  query(query: QueryObject): QueryObject {
    const { select, where, having, order_by, top, grouping, compare } = query
    const filters = (all: readonly QueryFilter[]) => all.map((filter) => this.#filter(filter))
    return {
      ...query,
      select: {
        ...select,
        dimensions: select.dimensions.map((d, i) => this.#dimension(d, `select.dimensions[${i}]`)),
        measures: select.measures.map((name, i) => this.#name(name, `select.measures[${i}]`)),
      },
      where: filters(where),
      having: filters(having),
      order_by: order_by.map((order, i) =>
        typeof order.field === 'string' ? { ...order, field: this.#name(order.field, `order_by[${i}].field`) } : order,
      ),
      ...(top && { top: { ...top, dimension: this.#name(top.dimension, 'top.dimension'), by: this.#name(top.by, 'top.by') } }),
      ...(compare && { compare: { ...compare, time: this.#name(compare.time, 'compare.time') } }),
      ...(typeof grouping === 'object' && {
        grouping: {
          ...grouping,
          sets:
            typeof grouping.sets === 'string'
              ? grouping.sets
              : grouping.sets.map((set) => set.map((name) => this.#name(name, 'grouping.sets'))),
        },
      }),
    }
  }

  #dimension(dimension: QueryDimension, path: string): QueryDimension {
    switch (dimension.kind) {
      case 'name':
        return { ...dimension, text: this.#name(dimension.text, path) }
      case 'coalesce':
        return { ...dimension, members: dimension.members.map((name) => this.#name(name, path)) }
      case 'per':
        return { ...dimension, measure: this.#name(dimension.measure, `${path}.measure`) }
      case 'expression':
        return { ...dimension, expression: this.#expression(dimension.expression, path) }
    }
  }

  #filter(filter: QueryFilter, target?: string): QueryFilter {
    switch (filter.kind) {
      case 'segment':
        return filter
      case 'expression':
        return { ...filter, expression: this.#expression(filter.expression, filter.path) }
      case 'group':
        return { ...filter, filters: filter.filters.map((inner) => this.#filter(inner, target)) }
      case 'leaf': {
        const { field, of, subquery, path } = filter
        return {
          ...filter,
          field: of || this.#isColumn(field, target) ? field : this.#name(field, path),
          ...(of && { of: { ...of, measure: this.#name(of.measure, path) } }),
          ...(subquery && {
            subquery: { ...subquery, filter: subquery.filter.map((inner) => this.#filter(inner, subquery.dataObject)) },
          }),
        }
      }
    }
  }

  /** Conditions on the rows of an object name its columns first. */
  #isColumn(field: string, target: string | undefined): boolean {
    const object = target === undefined ? undefined : find(target, this.model.dataObjects)
    return object !== undefined && find(field, object.columns) !== undefined
  }

  #expression(text: string, path: string): string {
    return text.replaceAll(/\{\[((?:[^\]{]|\{(?!\[))+)\]\}/g, (_, name: string) => `{[${this.#name(name, path)}]}`)
  }

  /** A field, perhaps with a grain after a colon. */
  #name(text: string, path: string): string {
    if (this.own.has(text)) return text
    const whole = fieldOfSynonym(text, this.model)
    if (whole !== undefined) return this.#noted(text, whole, path)
    const { name, grain } = splitGrain(text, this.model)
    const field = grain && fieldOfSynonym(name, this.model)
    return field ? this.#noted(name, field, path) + text.slice(text.lastIndexOf(':')) : text
  }

  #noted(synonym: string, field: string, path: string): string {
    if (!this.#said.has(lower(synonym))) {
      const context = { synonym, field }
      this.warnings.push(
        warning('SYNONYM_USED', `'${synonym}' is a synonym of '${field}', whose values these are`, { path, context }),
      )
    }
    this.#said.add(lower(synonym))
    return field
  }
}
