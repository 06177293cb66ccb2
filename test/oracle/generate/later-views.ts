/** Views with all fields of a model or some, some under other names or under those of other fields, and questions to them. */
import type { FilterJson, ModelJson, QueryJson, ViewJson } from '../model.js'
import { inOtherNames } from '../views.js'
import type { Random } from './random.js'

const WHOLE = 'Whole'
const PART = 'Part of it'

export function withViews(random: Random, model: ModelJson, conditions: () => readonly FilterJson[]): ModelJson {
  const names = [
    ...Object.keys(model.dimensions ?? {}),
    ...Object.keys(model.measures ?? {}),
    ...Object.keys(model.metrics ?? {}),
    ...Object.keys(model.dataObjects).map((object) => `${object} Count`),
  ]
  const view = (fields: readonly string[]): ViewJson => ({
    fields: renamed(random, fields),
    ...(random.chance(0.5) && { where: conditions() }),
  })
  return { ...model, views: { [WHOLE]: view(names), [PART]: view(random.some(names, Math.ceil(names.length * 0.7))) } }
}

/** Some fields have new names, and some exchange theirs with the next. */
function renamed(random: Random, fields: readonly string[]): ViewJson['fields'] {
  const found: ViewJson['fields'][number][] = []
  for (let i = 0; i < fields.length; i++) {
    const [field, next] = [fields[i]!, fields[i + 1]]
    if (next !== undefined && random.chance(0.2)) {
      found.push({ field, as: next }, { field: next, as: field })
      i++
    } else found.push({ field, as: random.chance(0.4) ? `the ${field}` : field })
  }
  return found
}

/** The question to a view that has its fields. */
export function askedOfViews(random: Random, model: ModelJson, query: QueryJson, mostly: boolean): QueryJson {
  if (query.select.fields || !random.chance(mostly ? 0.9 : 0.3)) return query
  const whole = inView(model, query, WHOLE)
  const part = random.chance(0.7) ? inView(model, query, PART) : undefined
  return part ?? whole ?? query
}

/** `undefined` if the view lacks a field of the query. */
function inView(model: ModelJson, query: QueryJson, view: string): QueryJson | undefined {
  const names = new Map(model.views?.[view]?.fields.map(({ field, as }) => [field, as]))
  const all = new Set(model.views?.[WHOLE]?.fields.map(({ field }) => field))
  let lacks = names.size === 0
  const found = inOtherNames(model, query, (text) => {
    lacks ||= all.has(text) && !names.has(text)
    return names.get(text)
  })
  return lacks ? undefined : { ...found, view }
}
