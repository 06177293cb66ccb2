/** Dimensions, as written. */
import { type Static, Type } from 'typebox'
import { described, flag, graded, grain, names, text, vendorNotes } from './parts.js'

const binsSchema = Type.Object(
  {
    size: Type.Optional(Type.Number({ exclusiveMinimum: 0, description: 'The width of each bin.' })),
    edges: Type.Optional(Type.Array(Type.Number(), { minItems: 1, description: 'Where one bin ends and the next begins.' })),
    labels: names('The names of the bins.'),
  },
  { description: 'Groups of numeric values.' },
)

export const dimensionSchema = Type.Object(
  {
    dataObject: text('The data object that its values come from.'),
    column: text('The column it shows.'),
    expression: text('A formula over {[Object].[Column]}, in place of column.'),
    resultType: text('The type of its values.'),
    timeGrain: grain('The bucket of its values.'),
    via: text('The data object that the join path must pass.'),
    format: text('How values are shown.'),
    hierarchy: names('Coarser dimensions, in order.'),
    hidden: flag('Usable, but not offered.'),
    bins: Type.Optional(binsSchema),
    sortBy: text('The column of the same data object that orders its values.'),
    ...described,
    ...graded,
    ...vendorNotes,
  },
  { description: 'What a result is grouped by.' },
)

export type DimensionDocument = Static<typeof dimensionSchema>
