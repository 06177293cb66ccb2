/** Examples and tests, as written. */
import { type Static, Type } from 'typebox'
import { described, names, type PlainValue, scalarValue, text } from './parts.js'

export const exampleSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'The name of the example.' }),
    description: described.description,
    intent_tags: names('What it is an example of.'),
    intentTags: names('What it is an example of.'),
    query: Type.Unknown({ description: 'A query, as it is sent to the service.' }),
  },
  { description: 'A question that the model answers.' },
)

const expectSchema = Type.Object(
  {
    columns: names('The columns of the answer, in order.'),
    rows: Type.Optional(
      Type.Array(
        Type.Unsafe<readonly PlainValue[] | Readonly<Record<string, PlainValue>>>({
          anyOf: [
            { type: 'array', items: scalarValue },
            { type: 'object', patternProperties: { '^.*$': scalarValue } },
          ],
        }),
        { description: 'All rows: values in the order of the columns, or by column, where only the columns named are compared.' },
      ),
    ),
    row_count: Type.Optional(Type.Integer({ minimum: 0, description: 'How many rows.' })),
    bounds: Type.Optional(
      Type.Array(
        Type.Object({
          field: Type.String({ description: 'A column of the answer.' }),
          min: Type.Optional(Type.Unsafe<number | string>({ type: ['number', 'string'], description: 'The least value.' })),
          max: Type.Optional(Type.Unsafe<number | string>({ type: ['number', 'string'], description: 'The greatest value.' })),
        }),
        { description: 'Between what the numbers of a column lie, on every row.' },
      ),
    ),
    error: text('The code of the error that refuses the query.'),
  },
  { description: 'What the answer must be; without, that there is one.' },
)

const value = { type: ['string', 'number', 'boolean'] }

const asSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'Its name.' }),
    roles: names('Its roles.'),
    attributes: Type.Optional(
      Type.Unsafe<Readonly<Record<string, PlainValue | readonly PlainValue[]>>>({
        type: 'object',
        patternProperties: { '^.*$': { anyOf: [value, { type: 'array', items: value }] } },
        description: 'What access rules read of it, by name: a value, or a list of values.',
      }),
    ),
  },
  { additionalProperties: false, description: 'Who asks, as access rules see it.' },
)

export const testSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'The name of the test.' }),
    description: described.description,
    query: Type.Unknown({ description: 'A query, as it is sent to the service.' }),
    as: Type.Optional(asSchema),
    expect: Type.Optional(expectSchema),
  },
  { description: 'A query with its expected result, run by the CLI.' },
)

export type TestDocument = Static<typeof testSchema>

export type ExpectDocument = Static<typeof expectSchema>
