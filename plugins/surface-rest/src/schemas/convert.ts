import { Type } from '@grainline/core'
import { StructuredWarning, strict } from './common.js'

export const ConvertRequest = strict(
  {
    model_yaml: Type.String({ description: 'The model, in any format; at most 5,000,000 characters.' }),
    format: Type.Optional(
      Type.String({
        description: 'The name of the importer of a plugin that reads the text. Without it, the text itself shows its format.',
      }),
    ),
    to: Type.Optional(
      Type.String({
        description:
          'The name of the exporter of a plugin that writes the result. Without it, the result is a model of this server.',
      }),
    ),
    drop_security: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Leaves access rules out. Without it, a text with an access rule is refused.',
      }),
    ),
    list_exact: Type.Optional(Type.Boolean({ default: false, description: 'Lists the exact items, too (`exact`).' })),
  },
  { title: 'ConvertRequest' },
)

const count = Type.Integer({ minimum: 0 })

const PLACES = {
  line: Type.Optional(Type.Integer({ description: 'Its place in the text.' })),
  column: Type.Optional(Type.Integer()),
  path: Type.Optional(Type.String({ description: 'Its path in the model, or that of the item that it is missing from.' })),
  target: Type.Optional(
    Type.Object(
      { line: Type.Integer(), column: Type.Integer() },
      { description: 'Its place in the result, or that of the item that it is missing from.' },
    ),
  ),
}

export const Converted = Type.Object(
  {
    model_yaml: Type.Optional(Type.String({ description: 'The model as YAML; absent with `to`.' })),
    text: Type.Optional(Type.String({ description: 'With `to`: the model in that format.' })),
    counts: Type.Object(
      { exact: count, rewritten: count, inert: count, refused: count },
      { description: 'How many items there are of each kind; an item without a loss is exact.' },
    ),
    losses: Type.Array(
      Type.Object({
        kind: Type.Unsafe<'rewritten' | 'inert' | 'refused'>({ type: 'string', enum: ['rewritten', 'inert', 'refused'] }),
        message: Type.String(),
        hint: Type.Optional(Type.String()),
        ...PLACES,
      }),
      { description: 'Every item that the model does not contain as it is written.' },
    ),
    exact: Type.Optional(
      Type.Array(Type.Object(PLACES), { description: 'With `list_exact`: every item that the result says as the text does.' }),
    ),
    warnings: Type.Array(StructuredWarning),
  },
  { title: 'ConvertResponse' },
)
