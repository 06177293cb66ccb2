/** Views, as written. */
import { Type } from 'typebox'
import { described, text } from './parts.js'

const viewField = Type.Unsafe<string | { readonly field: string; readonly as?: string }>({
  anyOf: [
    { type: 'string', description: 'A dimension, measure or metric.' },
    Type.Object(
      {
        field: Type.String({ description: 'A dimension, measure or metric.' }),
        as: text('Its name in the view (its own).'),
      },
      { description: 'A field under another name.' },
    ),
  ],
})

export const viewSchema = Type.Object(
  {
    fields: Type.Array(viewField, { minItems: 1, description: 'What its readers see, in this order.' }),
    where: Type.Optional(
      Type.Array(Type.Unknown(), {
        description: 'Conditions on every question to it, as in the where of a query, over the fields of the model.',
      }),
    ),
    mainFact: text(
      'The data object whose rows it represents in SQL. Default: the one that most of its measures count; the main fact of the model, if that leaves a choice.',
    ),
    default: Type.Optional(
      Type.Boolean({
        description:
          'Statements of SQL without FROM read it, and lists of tables begin with it. Only one view of a model can be that.',
      }),
    ),
    ...described,
  },
  { description: 'A selection of fields for readers of one kind, under the names that they use.' },
)
