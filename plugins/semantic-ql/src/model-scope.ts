/** The models that a statement can read, and their names. */
import { firstOf } from '@grainline/core'
import { defaultView, factsOf, type ModelScope, type NamedModel, nearest, viewRelation } from '@grainline/core/language'

import type { RangeVar } from './grammar/node.js'
import { relationName } from './main-fact.js'
import { type Place, refuse } from './refusal.js'

/** The model of a relation: by its last name, exact, else the only one that differs only in case. `undefined` when there is none. */
export function modelOf<M extends NamedModel>(relation: RangeVar, scope: ModelScope<M>): M | undefined {
  const { relname = '' } = relation
  const exact = scope.models.filter(({ names }) => names.includes(relname))
  if (exact.length > 0) return exact.length === 1 ? exact[0] : exact.find((model) => model === scope.chosen)
  const folded = relname.toLowerCase()
  const similar = scope.models.filter(({ names }) => names.some((name) => name.toLowerCase() === folded))
  return similar.length === 1
    ? similar[0]
    : similar.length > 1
      ? undefined
      : (furtherFact(relname, scope) ?? viewOf(relation, scope))
}

/** Schemas in which no model is. */
const SYSTEM: ReadonlySet<string> = new Set(['pg_catalog', 'information_schema', 'grainline'])

/** The view of a name: of the model of its schema, else of the chosen one, else the only one of that name. */
function viewOf<M extends NamedModel>({ relname = '', schemaname }: RangeVar, { models, chosen }: ModelScope<M>): M | undefined {
  const schema = schemaname?.toLowerCase()
  if (schema !== undefined && SYSTEM.has(schema)) return undefined
  const ofSchema = schema === undefined ? [] : models.filter(({ names }) => names.some((name) => name.toLowerCase() === schema))
  const asked = ofSchema.length > 0 ? ofSchema : models
  const folded = relname.toLowerCase()
  const among = (some: readonly M[]): M | undefined => {
    const views = some.flatMap((model) => [...model.model.views.values()].map((view) => ({ model, name: view.name })))
    const exact = views.filter(({ name }) => name === relname)
    const [found, ...others] = exact.length > 0 ? exact : views.filter(({ name }) => name.toLowerCase() === folded)
    return found && others.length === 0 ? furtherViews(found.model).find(({ view }) => view === found.name) : undefined
  }
  return (chosen && asked.includes(chosen) ? among([chosen]) : undefined) ?? among(asked)
}

const views = new WeakMap<NamedModel, readonly NamedModel[]>()

/** The views of a model as relations. One whose fields are all hidden is none. */
export function furtherViews<M extends NamedModel>(model: M): readonly M[] {
  const known = views.get(model) as readonly M[] | undefined
  if (known) return known
  const shown = [...model.model.views.values()].filter(({ fields }) => fields.size > 0)
  const found = shown.map((view): M => ({ ...model, ...viewRelation(view, model.model), view: view.name, names: [view.name] }))
  views.set(model, found)
  return found
}

/** The relation of a statement without FROM: the default view of the model, else the model. */
export const firstRelation = <M extends NamedModel>(model: M): M => defaultOf(model) ?? model

function defaultOf<M extends NamedModel>(model: M): M | undefined {
  const view = model.view === undefined ? defaultView(model.model) : undefined
  return view && furtherViews(model).find((each) => each.view === view.name)
}

/** Every relation of a model in the order of lists: its default view, the model, its other facts, its other views. */
export function relationsOf<M extends NamedModel>(model: M): readonly M[] {
  const first = defaultOf(model)
  const tables = [model, ...furtherFacts(model)]
  const taken = new Set(tables.flatMap(({ names }) => names.map((name) => name.toLowerCase())))
  const isOther = (view: M): boolean => view !== first && !taken.has(mainName(view).toLowerCase())
  return [...(first ? [first] : []), ...tables, ...furtherViews(model).filter(isOther)]
}

/** `model__fact`: the model with the rows of another of its facts. */
function furtherFact<M extends NamedModel>(relname: string, { models, chosen }: ModelScope<M>): M | undefined {
  if (!relname.includes('__')) return undefined
  const folded = relname.toLowerCase()
  const among = (asked: readonly M[]): M | undefined => {
    const found = asked.flatMap((model) =>
      furtherFacts(model).filter(({ names }) => names.some((name) => name.toLowerCase() === folded)),
    )
    return found.length === 1 ? found[0] : found.find(({ names }) => names.includes(relname))
  }
  return (chosen && among([chosen])) ?? among(models)
}

/** The name of a model in messages. */
export const mainName = ({ names }: NamedModel): string => firstOf(names)

const further = new WeakMap<NamedModel, readonly NamedModel[]>()

/** The relations of a model except the one with its name. */
function furtherFacts<M extends NamedModel>(model: M): readonly M[] {
  const known = further.get(model) as readonly M[] | undefined
  if (known) return known
  const { main, all } = factsOf(model.model)
  const facts = all.filter((fact) => fact !== main)
  const found = facts.map((fact): M => ({ ...model, fact, names: model.names.map((name) => relationName(name, fact)) }))
  further.set(model, found)
  return found
}

/** The relation of a statement that names none. Throws `NO_MODEL_SELECTED`, listing them. */
export function onlyModel<M extends NamedModel>({ chosen, models }: ModelScope<M>, at: Place | undefined): M {
  if (chosen) return firstRelation(chosen)
  const [sole, ...others] = models
  if (sole && others.length === 0) return firstRelation(sole)
  const names = models.map(mainName)
  const there = names.length > 0 ? `there are ${names.map((name) => `'${name}'`).join(', ')}` : 'none is loaded'
  return refuse('NO_MODEL_SELECTED', `The statement names no model, and ${there}`, {
    at,
    suggestions: names,
    ...(names.length > 0 && { rewrite: `FROM "${names[0]}", or connect with the model's name as the database` }),
  })
}

/** Refuses a relation that is not a model. */
export function notAModel(relation: RangeVar, scope: ModelScope, at: Place | undefined): never {
  const name = [relation.schemaname, relation.relname].filter(Boolean).join('.')
  const names = scope.models.map(mainName)
  const suggestions = nearest(relation.relname ?? '', names)
  const there = names.length > 0 ? `models are ${names.map((n) => `'${n}'`).join(', ')}` : 'no model is loaded'
  return refuse('RAW_SQL_REJECTED', `'${name}' is not a model, and only models can be read; ${there}`, { at, suggestions })
}
