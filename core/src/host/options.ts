import type { Static, TSchema } from 'typebox'
import Value from 'typebox/value'
import { type ErrorCode, type Finding, fail } from '../errors.js'
import { firstOf } from '../invariant.js'
import { didYouMean, nearest } from '../nearest.js'

/**
 * The options with defaults filled in. Throws `code` with every fault by JSON pointer, an unknown key with the nearest known one.
 * Without a schema no options are allowed.
 */
export function readOptions<S extends TSchema>(
  owner: string,
  schema: S | undefined,
  given: unknown,
  code: ErrorCode = 'INVALID_OPTIONS',
): Static<S> {
  if (schema === undefined) return refuseAny(owner, given, code) as Static<S>
  const value = Value.Default(schema, Value.Clone(given ?? {}))
  const faults = faultsOf(schema, value)
  if (faults.length === 0) return value as Static<S>
  const findings = faults.map(
    ({ pointer, message }): Finding => ({ code, message: `${pointer}: ${message}`, path: pointer, severity: 'error' }),
  )
  return fail(code, `${owner} has invalid options\n${findings.map((finding) => `  ${finding.message}`).join('\n')}`, {
    path: firstOf(faults).pointer,
    findings,
  })
}

/** The options for display. Values with `secret: true` in the schema, or with the name of a secret, are hidden. */
export function redact(schema: TSchema | undefined, value: unknown): unknown {
  if (typeof value === 'function') return '(function)'
  if ((schema as { secret?: boolean } | undefined)?.secret === true && value !== undefined) return '(secret)'
  if (Array.isArray(value)) return value.map((item) => redact((schema as { items?: TSchema } | undefined)?.items, item))
  if (typeof value !== 'object' || value === null) return value
  const properties = (schema as { properties?: Readonly<Record<string, TSchema>> } | undefined)?.properties ?? {}
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, secretName.test(key) && item ? '(secret)' : redact(properties[key], item)]),
  )
}

const secretName = /password|secret|token|credential|(api|private|access)[_-]?key|connection_?string/i

function refuseAny(owner: string, given: unknown, code: ErrorCode): unknown {
  const keys = Object.keys((given as object | undefined) ?? {})
  return keys.length === 0
    ? {}
    : fail(code, `${owner} takes no options, and was given ${keys.join(', ')}`, { path: `/${keys[0]}` })
}

interface Fault {
  readonly pointer: string
  readonly message: string
}

function faultsOf(schema: TSchema, value: unknown): Fault[] {
  return Value.Errors(schema, value).flatMap((error): Fault[] => {
    if (error.keyword === 'boolean') return [] // the twin of an additionalProperties error
    if (error.keyword !== 'additionalProperties') return [{ pointer: error.instancePath || '/', message: error.message }]
    const known = propertiesAt(schema, error.instancePath)
    return error.params.additionalProperties.map((key) => ({
      pointer: `${error.instancePath}/${key}`,
      message: `unknown option${didYouMean(nearest(key, known))}`,
    }))
  })
}

/** Names of the properties that the schema knows at a JSON pointer. */
function propertiesAt(schema: TSchema, pointer: string): string[] {
  let at = schema as { properties?: Record<string, object>; items?: object } | undefined
  for (const step of pointer.split('/').slice(1)) at = (at?.properties?.[step] ?? at?.items) as typeof at
  return Object.keys(at?.properties ?? {})
}
