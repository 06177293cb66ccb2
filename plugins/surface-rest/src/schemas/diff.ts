import { Type } from '@grainline/core'
import { nullable, strings } from './common.js'

const text = nullable(Type.String())

const Change = Type.Object({
  kind: Type.Unsafe<'added' | 'removed' | 'changed' | 'renamed'>({
    type: 'string',
    enum: ['added', 'removed', 'changed', 'renamed'],
  }),
  section: Type.String(),
  name: Type.String({ description: 'Columns are Object.Column, joins From → To.' }),
  was: Type.Optional(Type.String({ description: 'The former name of a renamed entry.' })),
  keys: Type.Optional(
    Type.Array(Type.Object({ key: Type.String(), before: text, after: text }), { description: 'Values as JSON.' }),
  ),
  cosmetic: Type.Boolean({ description: 'True if the change affects no number: a description, a format, a status.' }),
})

export const ModelDiff = Type.Object(
  {
    before: Type.String({ description: 'SHA-256 of the model document.' }),
    after: Type.String(),
    changes: Type.Array(Change),
    touched: Type.Object(
      { dimensions: strings, measures: strings, metrics: strings, examples: strings, tests: strings },
      { description: 'What the changes may affect.' },
    ),
  },
  { title: 'ModelDiff' },
)
