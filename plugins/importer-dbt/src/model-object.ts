/** Semantic models as data objects, while they are written. */
import type { Entry } from './draft.js'
import type { SemanticModel } from './project.js'

/** A data object, and how its columns are named. */
export interface ModelObject {
  readonly model: SemanticModel
  readonly name: string
  readonly columns: Record<string, Entry>
  /** The column of each entity and dimension. */
  readonly entities: Map<string, string>
  readonly dimensions: Map<string, string>
  /** Columns without a declared type, which their use gives one. */
  readonly assumed: Set<string>
}

export interface Objects {
  readonly byName: ReadonlyMap<string, ModelObject>
  /** The object of which each entity is a key. */
  readonly homes: ReadonlyMap<string, ModelObject>
  /** The objects whose dimensions are written after each entity. */
  readonly owners: ReadonlyMap<string, readonly ModelObject[]>
}

/** The columns of the partitions of a table: a key is that of one row in each of them. */
export const partitionsOf = ({ model, dimensions }: ModelObject): ReadonlyMap<string, string> =>
  new Map(
    model.dimensions.flatMap(({ name, part }) => {
      const column = part.text('is_partition') === 'true' ? dimensions.get(name) : undefined
      return column === undefined ? [] : [[name, column]]
    }),
  )

export const isPartitioned = (object: ModelObject): boolean => partitionsOf(object).size > 0
