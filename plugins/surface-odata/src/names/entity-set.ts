import { GrainlineError } from '@grainline/core'
import type { ResultColumn } from '@grainline/core/format'
import { commentOf, nearest } from '@grainline/core/language'
import { type ModelHandle, namedTables, type SqlRelation } from '@grainline/core/surface'
import { identifierOf, identifiersOf } from './identifiers.js'

/** A relation of a model: the rows of one of its facts, with the fields that can be asked beside them, or a view. */
export interface EntitySet {
  readonly name: string
  /** As a statement names it. */
  readonly relation: string
  readonly properties: readonly Property[]
}

/** A field of the model under a name that OData can spell. */
export interface Property {
  readonly name: string
  readonly field: string
  readonly type: ResultColumn['type']
  readonly isMeasure: boolean
  readonly description: string
}

/** The name of the key of every entity type. OData requires one; see `keyOf`. */
export const KEY = 'RowKey'
/** The name of the container of the sets, which no set may have. */
export const CONTAINER = 'Feed'

/** The sets of a model, as lists of tables show its relations. `name` is the one under which statements know the model. */
export function entitySetsOf(name: string, { model }: ModelHandle, relations: readonly SqlRelation[]): readonly EntitySet[] {
  const taken = new Set([CONTAINER])
  return namedTables(name, relations).map(({ table: relation, relation: { view, columns } }) => {
    const [own] = identifiersOf([identifierOf(relation)], [...taken])
    taken.add(own!)
    const names = identifiersOf(
      columns.map((column) => column.name),
      [KEY],
    )
    const properties = columns.map(({ name: field, type, role }, i) => ({
      name: names[i]!,
      field,
      type,
      isMeasure: role === 'measure' || role === 'metric',
      description: commentOf(view?.model ?? model, field) ?? '',
    }))
    return { name: own!, relation, properties }
  })
}

/** Throws `NOT_FOUND` with the nearest names. */
export function setNamed(name: string, sets: readonly EntitySet[]): EntitySet {
  const names = sets.map((set) => set.name)
  const found = sets[names.indexOf(name)]
  if (found !== undefined) return found
  throw new GrainlineError('NOT_FOUND', `The model has no entity set '${name.slice(0, 60)}'`, {
    hint: `Its sets are ${names.slice(0, 20).join(', ')}.`,
    suggestions: nearest(name, names),
  })
}
