/** Parameters, as written. */
import { type Static, Type } from 'typebox'
import { described, flag, scalarValue, text } from './parts.js'

const valueOrList = (description: string) =>
  Type.Unsafe<string | number | boolean | null | readonly (string | number | boolean | null)[]>({
    anyOf: [scalarValue, { type: 'array', items: scalarValue }],
    description,
  })

export const parameterSchema = Type.Object(
  {
    type: Type.String({ description: 'string, boolean, int, float, decimal(p, s), date, timestamp or time.' }),
    list: flag('Its value is a list, for filters that take one (false).'),
    default: Type.Optional(
      valueOrList('The value where a query gives none. Without it, queries that read the parameter must give one.'),
    ),
    values: Type.Optional(Type.Array(scalarValue, { minItems: 1, description: 'The values that it may have.' })),
    min: Type.Optional(Type.Unsafe<string | number>({ type: ['string', 'number'], description: 'The least value.' })),
    max: Type.Optional(Type.Unsafe<string | number>({ type: ['string', 'number'], description: 'The greatest value.' })),
    unit: text('The unit of its numbers, such as EUR or km.'),
    nullable: flag('Whether its value may be null (false).'),
    ...described,
  },
  { description: 'A value that a query gives: {@Name} in expressions, {parameter: Name} as the value of a filter.' },
)

export type ParameterDocument = Static<typeof parameterSchema>
