/** Filters of the model and segments, as written. */
import { type Static, Type } from 'typebox'
import { anyValue, described, flag, orMissingSays, writtenValue } from './parts.js'

export const staticFilterSchema = Type.Object(
  {
    dataObject: Type.String({ description: 'The data object it restricts.' }),
    column: Type.String({ description: 'The column it tests.' }),
    operator: Type.String({ description: 'The comparison.' }),
    value: Type.Optional(writtenValue),
    values: Type.Optional(Type.Array(anyValue, { description: 'The values that the column is compared with.' })),
    orMissing: flag(orMissingSays),
    description: described.description,
  },
  { description: 'A condition on every query; it cannot be removed.' },
)

export const segmentSchema = Type.Object(
  {
    filters: Type.Array(Type.Unknown(), { minItems: 1, description: 'Conditions as in the where of a query; all must hold.' }),
    ...described,
  },
  { description: 'A named filter.' },
)

export type StaticFilterDocument = Static<typeof staticFilterSchema>
