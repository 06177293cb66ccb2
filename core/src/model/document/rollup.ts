/** Rollup tables, as written. */
import { type Static, Type } from 'typebox'
import { described, grain, text } from './parts.js'

const rollupDimension = Type.Unsafe<string | { readonly field: string; readonly grain?: string }>({
  anyOf: [
    { type: 'string', description: 'A dimension, at the grain that it declares.' },
    Type.Object(
      {
        field: Type.String({ description: 'A dimension.' }),
        grain: grain('The period in which its times are kept (the grain that it declares).'),
      },
      { description: 'A dimension at a grain.' },
    ),
  ],
})

export const rollupSchema = Type.Object(
  {
    dataObject: Type.String({ description: 'The data object whose rows its measures count.' }),
    dimensions: Type.Array(rollupDimension, {
      minItems: 1,
      description: 'What one row of the table stands for: dimensions that the data object reaches by its joins.',
    }),
    measures: Type.Array(Type.String(), {
      minItems: 1,
      description: 'Measures of the data object; a metric stands for the measures below it.',
    }),
    where: Type.Optional(
      Type.Array(Type.Unknown(), { description: 'Conditions on the rows that it holds, as in the where of a query.' }),
    ),
    code: text('The name of the table (the name of the rollup in lower case, with underscores).'),
    schema: text('The schema of the table.'),
    database: text('The database of the table.'),
    ...described,
  },
  { description: 'A table with the answer of one query.' },
)

export type RollupDocument = Static<typeof rollupSchema>

/** Keys that only a later version of rollup tables has. */
export const LATER_ROLLUP_KEYS: readonly string[] = ['maxAge', 'floats', 'columns', 'builtAt', 'settled', 'files', 'values']
