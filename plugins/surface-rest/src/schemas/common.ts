import { Type } from '@grainline/core'

export const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const words = <const W extends readonly string[]>(...values: W) => Type.Unsafe<W[number]>({ type: 'string', enum: values })
export const strings = Type.Array(Type.String())
/** An object without other keys: an unknown key is an error that names it. */
export const strict = <P extends Type.TProperties>(properties: P, options: Type.TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

const findingFields = {
  code: Type.String(),
  message: Type.String(),
  path: Type.String({ description: "Dotted place; '' at the root." }),
  severity: words('error', 'warning'),
  hint: Type.Optional(Type.String()),
  context: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  suggestions: Type.Optional(strings),
  line: Type.Optional(Type.Integer()),
  column: Type.Optional(Type.Integer()),
}

export const ErrorDetail = Type.Object(findingFields, { title: 'ErrorDetail' })
export const StructuredWarning = Type.Object(findingFields, { title: 'StructuredWarning' })

export const Problem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.String(),
    errors: Type.Optional(Type.Array(ErrorDetail)),
    hint: Type.Optional(Type.String()),
    suggestions: Type.Optional(strings),
    request_id: Type.String(),
  },
  { title: 'Problem' },
)

/** Marks a query in the schemas of routes. */
export const QUERY_TITLE = 'QueryObject'
/** The description of a body that may also be the query itself. */
export const OR_BARE = 'Or a bare QueryObject.'

/** The response schemas of a route: its answer, and the problem for errors. */
export function answers<S extends Type.TSchema>(status: 200 | 201, schema: S, description = 'OK') {
  return { [status]: { description, ...schema }, ...problems }
}

export const problems = {
  default: { description: 'A problem', content: { 'application/problem+json': { schema: Problem } } },
}

/** The model of a shortcut. It may be left out if there is only one. */
export const TargetQuery = Type.Object({
  session_id: Type.Optional(Type.String()),
  model_id: Type.Optional(Type.String()),
  model: Type.Optional(Type.String({ description: 'Name of a published model.' })),
})

export const ModelParams = Type.Object({ session_id: Type.String(), model_id: Type.String() })
export const SessionParams = Type.Object({ session_id: Type.String() })

/** The URL parameters of a query shortcut. */
export const QueryUrl = Type.Object({ ...TargetQuery.properties, dialect: Type.Optional(Type.String()) })
