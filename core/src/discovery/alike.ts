import { entryOf } from '../invariant.js'
import { comparedOf } from '../model/join-term.js'
import type { Column, Dimension, Measure, Metric, SemanticModel } from '../model/semantic-model.js'
import { componentsOf } from '../model/semantic-model.js'

/**
 * Groups fields that are the same to the planner: fields of one class are of the same kind, are defined in the same way, and read columns
 * of the same objects by the same paths, so that a query that accepts one of them accepts each.
 */
export interface Classes {
  /** The class of a dimension, measure or metric, each under its exact name. */
  readonly dimension: (name: string) => number
  readonly measure: (name: string) => number
  readonly metric: (name: string) => number
}

const known = new WeakMap<SemanticModel, Classes>()

/** The classes of a model's fields, computed once per model. */
export function classesOf(model: SemanticModel): Classes {
  const made = known.get(model) ?? makeClasses(model)
  known.set(model, made)
  return made
}

function makeClasses(model: SemanticModel): Classes {
  const ids = new Map<string, number>()
  const idOf = (key: string): number => ids.get(key) ?? ids.set(key, ids.size).get(key)!
  const spell = speller(model)
  const named = namesWithin([...model.measures.values(), ...model.metrics.values()])
  const dimensions = new Map<string, number>()
  for (const [name, dimension] of model.dimensions)
    dimensions.set(name, idOf(`d ${named.has(name) ? name : ''} ${spell(bare(dimension))}`))
  const fields = new Map<string, number>()
  for (const [name, measure] of model.measures) fields.set(name, idOf(`m ${spell(bare(measure))}`))
  for (const metric of componentsFirst(model)) {
    const parts = (name: string): number | undefined => fields.get(name)
    fields.set(metric.name, idOf(`f ${spell(bare(metric), parts)} ${JSON.stringify(componentsOf(metric).map(parts))}`))
  }
  return {
    dimension: (name) => entryOf(dimensions, name),
    measure: (name) => entryOf(fields, name),
    metric: (name) => entryOf(fields, name),
  }
}

/** Properties that the planner never reads are left out. */
function bare<F extends Dimension | Measure | Metric>(field: F): object {
  return Object.fromEntries(Object.entries(field).filter(([key]) => !UNREAD.has(key)))
}

/** For a dimension, `column` only repeats the expression. */
const UNREAD = new Set([
  'name',
  'description',
  'owner',
  'synonyms',
  'format',
  'column',
  'resultType',
  'hierarchy',
  'hidden',
  'status',
  'use',
])

type Speller = (value: object, fieldId?: (name: string) => number | undefined) => string

/** Writes a field as a text, with columns by their relevant properties and components by their class. */
function speller(model: SemanticModel): Speller {
  const linking = linkingColumns(model)
  const columnKey = (object: string, name: string): string => {
    const column = model.dataObjects.get(object)?.columns.get(name)
    const apart = column === undefined || column.source.kind !== 'physical' || linking.has(`${object}\u0000${name}`)
    return JSON.stringify([object, apart ? name : typeKey(column)])
  }
  return (value, fieldId = () => undefined) =>
    JSON.stringify(value, (key, item: unknown) => {
      if (typeof item === 'bigint') return `${item}n`
      if (key === 'path') return undefined
      if (key === 'measure' && typeof item === 'string') return fieldId(item) ?? item
      if (!isNode(item)) return item
      if (item.kind === 'column' && item.object !== undefined) return columnKey(item.object, item.column ?? '')
      return item.kind === 'field' && item.name !== undefined ? { kind: 'field', id: fieldId(item.name) ?? item.name } : item
    })
}

interface Node {
  readonly kind: string
  readonly object?: string
  readonly column?: string
  readonly name?: string
}

const isNode = (item: unknown): item is Node => typeof item === 'object' && item !== null && 'kind' in item
const typeKey = ({ type, sqlType }: Column): unknown => ({ type, sqlType })

/** Keys and columns of joins may be read without their object, so each is a separate class. */
function linkingColumns(model: SemanticModel): ReadonlySet<string> {
  const found = new Set<string>()
  for (const object of model.dataObjects.values()) {
    for (const name of object.key) found.add(`${object.name}\u0000${name}`)
    for (const join of object.joins) {
      for (const name of comparedOf(join.on, 'from')) found.add(`${join.from}\u0000${name}`)
      for (const name of comparedOf(join.on, 'to')) found.add(`${join.to}\u0000${name}`)
    }
  }
  return found
}

/** Every text inside the fields: a dimension that some field names is different from others. */
function namesWithin(fields: readonly object[]): ReadonlySet<string> {
  const found = new Set<string>()
  const stack: unknown[] = [...fields]
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (typeof top === 'string') found.add(top)
    else if (typeof top === 'object' && top !== null) for (const item of Object.values(top)) stack.push(item ?? '')
  }
  return found
}

/** Metrics after their components, without recursion: a chain of them may be long. */
function componentsFirst({ metrics }: SemanticModel): Metric[] {
  const ordered = new Set<Metric>()
  const entered = new Set<Metric>()
  const stack = [...metrics.values()]
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (ordered.has(top)) continue
    if (entered.has(top)) {
      ordered.add(top)
      continue
    }
    entered.add(top)
    stack.push(top, ...componentsOf(top).flatMap((name) => metrics.get(name) ?? []))
  }
  return [...ordered]
}
