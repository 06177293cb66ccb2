/** The sources of views: objects whose rows are measured, and those that no other leads to. */
import type { SemanticModel } from '@grainline/core'
import { homeOf, namesReadBy, objectsIn, reachOf, Unsaid } from '@grainline/importer-dbt/foreign'
import { type DataObject, waysOf } from './tree.js'
import type { Views } from './views.js'

/** Adds the views. Each step adds one. */
export function* addViews(views: Views): Generator<void> {
  const { objects, links } = views.linked
  const homes = homesOf(views.model)
  /** Objects without rows of their own, by the one that they are measured beside. */
  const many = new Map<string, DataObject[]>()
  const sources = new Set<string>()
  for (const object of objects.values()) {
    if (!homes.has(object.name)) continue
    const parent = views.removed.has(object.name) ? parentOf(object, views) : object.name
    if (parent === undefined) continue
    sources.add(parent)
    if (parent !== object.name) many.set(parent, [...(many.get(parent) ?? []), object])
  }
  const reached = new Set([...links.values()].flatMap((each) => each.map(({ join }) => join.to)))
  const [ends, others] = [[...objects.values()].filter(({ name }) => !reached.has(name)), [...objects.values()]]
  for (const object of [...objects.values()].filter(({ name }) => sources.has(name))) {
    views.add(object, many.get(object.name) ?? [])
    yield
  }
  for (const object of [...ends, ...others]) {
    const isThere = [...views.all.values()].some(({ tree }) => tree.has(object.name))
    if (!isThere && !views.removed.has(object.name)) views.add(object, [])
    yield
  }
}

/** The object that the only required join of an object ends at, if nothing removes rows of that one, and all that it leads to is reached through it alone. */
function parentOf(object: DataObject, { model, removed, linked }: Views): string | undefined {
  const required = object.joins.filter((join) => join.required)
  const others = object.joins.filter(({ required: isRequired, secondary, to }) => !isRequired && !secondary && removed.has(to))
  const [join] = required
  if (!join || required.length > 1 || others.length > 0 || removed.has(join.to) || !model.dataObjects.has(join.to))
    return undefined
  const ways = waysOf(object, model)
  if ([...reachOf(join.to, model)].some((name) => ways.get(name) !== 1)) return undefined
  return (linked.links.get(object.name) ?? []).some(({ join: said }) => said === join) ? join.to : undefined
}

/** The objects whose rows a measure of the model aggregates. Counts of rows are of all objects, so only those that are asked for count. */
function homesOf(model: SemanticModel): ReadonlySet<string> {
  const read = new Set([...model.metrics.values()].flatMap(namesReadBy))
  const homes = new Set<string>()
  for (const measure of model.measures.values()) {
    const { name, rowCountOf } = measure
    if (rowCountOf !== undefined && !read.has(name) && !isAskedFor(rowCountOf, model)) continue
    try {
      homes.add(homeOf(measure, objectsIn(measure), model))
    } catch (error) {
      if (!(error instanceof Unsaid)) throw error
    }
  }
  return homes
}

function isAskedFor(object: string, { document }: SemanticModel): boolean {
  const { countable, countLabel } = document.dataObjects?.[object] ?? {}
  return countable === true || countLabel !== undefined
}
