/** Parameters: the text of a value stands where the model or the query names the parameter. */
import type { Json, ModelJson, ParameterJson, QueryJson } from './model.js'
import { refuse } from './refusal.js'

interface Settled {
  readonly model: ModelJson
  readonly query: QueryJson
}

const latest: { given?: string; of?: ModelJson; model?: ModelJson } = {}

/** The model and the query as they would be written for the values of this query. */
export function withValues(model: ModelJson, query: QueryJson): Settled {
  if (model.parameters === undefined) return { model, query }
  const { parameters: given = {}, ...asked } = query
  const values = new Map<string, Value>()
  for (const [name, parameter] of Object.entries(model.parameters)) {
    const value = given[name] ?? parameter.default
    if (value !== undefined) values.set(name, { parameter, value })
  }
  const key = JSON.stringify([...values])
  // The rows of a world are kept by its model.
  if (latest.of !== model || latest.given !== key) {
    const { parameters: _, ...rest } = model
    Object.assign(latest, { of: model, given: key, model: written(rest as unknown as Json, values) })
  }
  return { model: latest.model!, query: written(asked as unknown as Json, values) as unknown as QueryJson }
}

interface Value {
  readonly parameter: ParameterJson
  readonly value: Json
}
type Values = ReadonlyMap<string, Value>

function written(node: Json, values: Values): Json {
  if (Array.isArray(node)) {
    return (node as readonly Json[]).flatMap((item) => {
      const named = nameIn(item)
      const value = named === undefined ? written(item, values) : givenOf(named, values).value
      return named !== undefined && Array.isArray(value) ? (value as readonly Json[]) : [value]
    })
  }
  if (node === null || typeof node !== 'object') return node
  const named = nameIn(node)
  if (named !== undefined) return givenOf(named, values).value
  const entries = Object.entries(node as Readonly<Record<string, Json>>).map(([key, value]): [string, Json] => {
    if (key === 'expression' && typeof value === 'string') return [key, inText(value, values)]
    const settled = written(value, values)
    // The values of a filter on a column of a measure have types.
    return [key, key === 'values' && isPair(node) ? (settled as readonly Json[]).map(typed) : settled]
  })
  return Object.fromEntries(entries)
}

const isPair = (node: Json): boolean =>
  typeof (node as { readonly column?: Json }).column === 'object' && 'operator' in (node as object)

function typed(value: Json): Json {
  if (typeof value === 'string') return { dataType: 'string', valueString: value }
  if (typeof value === 'number') return { dataType: 'float', valueFloat: value }
  return typeof value === 'boolean' ? { dataType: 'boolean', valueBoolean: value } : value
}

function nameIn(node: Json): string | undefined {
  if (node === null || typeof node !== 'object' || Array.isArray(node)) return undefined
  const keys = Object.keys(node)
  const { parameter } = node as { readonly parameter?: Json }
  return keys.length === 1 && typeof parameter === 'string' ? parameter : undefined
}

const givenOf = (name: string, values: Values): Value => values.get(name) ?? refuse('PARAMETER_REQUIRED', `no value of ${name}`)

const inText = (text: string, values: Values): string =>
  text.replace(/\{@([^}]+)\}/g, (_, name: string) => textOf(givenOf(name.trim(), values)))

function textOf({ parameter, value }: Value): string {
  if (value === null) return 'null'
  const quoted = `'${String(value).replaceAll("'", "''")}'`
  switch (parameter.type) {
    case 'string':
      return quoted
    case 'date':
    case 'timestamp':
      return `${parameter.type} ${quoted}`
    // A division is a double.
    case 'float':
      return `(${value} / 1)`
    default:
      return `(${value})`
  }
}
