import { Type } from '@grainline/core'
import { nullable } from './common.js'

const KINDS = ['dimension', 'measure', 'metric', 'segment', 'data_object', 'column'] as const
const kind = Type.Unsafe<(typeof KINDS)[number]>({ type: 'string', enum: [...KINDS] })

export const find = {
  query: Type.String({ minLength: 1, maxLength: 500 }),
  types: Type.Optional(nullable(Type.Array(kind, { description: 'Default: all kinds.' }))),
}

const matches = Type.Array(
  Type.Object({
    name: Type.String(),
    kind,
    type: kind,
    score: Type.Number({ description: '1 means that the query is the name itself.' }),
    reason: Type.String(),
    status: Type.Optional(Type.String({ description: 'proposed, certified or deprecated.' })),
    use: Type.Optional(Type.String({ description: 'The field that replaces a deprecated one.' })),
    match_field: Type.String({ description: 'Where the text was found: name, synonym or description.' }),
  }),
)

export const FindResponse = Type.Object(
  {
    query: Type.String(),
    results: matches,
    exact_matches: matches,
    synonym_matches: matches,
    fuzzy_matches: matches,
    unmatched: Type.Array(Type.String(), { description: 'Words of the query that no field has.' }),
  },
  { title: 'FindResponse' },
)
