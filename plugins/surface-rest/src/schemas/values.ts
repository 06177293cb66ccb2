import { Type } from '@grainline/core'

export const ValuesUrl = {
  search: Type.Optional(Type.String({ maxLength: 500, description: 'Text that a value contains, in any case.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 100 })),
  dialect: Type.Optional(Type.String()),
}

export const ValuesResponse = Type.Object(
  {
    dimension: Type.String(),
    values: Type.Array(
      Type.Object({
        value: Type.Unsafe<unknown>({ description: 'As in the rows of an answer; null is a value too.' }),
        count: Type.Unsafe<number | string>({ type: ['integer', 'string'], description: "Rows of the dimension's object." }),
      }),
    ),
    truncated: Type.Boolean({ description: 'Whether there are more than limit.' }),
  },
  { title: 'ValuesResponse' },
)
