import { type Finding, GrainlineError } from '@grainline/core'
import { didYouMean, nearest } from '@grainline/core/language'
import type { ReadShape } from '@grainline/core/surface'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifyInstance } from 'fastify'

/** Bodies are validated without conversion, defaults or removal of fields. Only URL parameters are converted from text. */
export function validateStrictly(app: FastifyInstance): void {
  // Tests check our schemas. Checking them here would take longer than compiling the validators.
  const options = { strict: false, validateFormats: false, validateSchema: false }
  const bodies = new Ajv(options)
  const thorough = new Ajv({ ...options, allErrors: true })
  const urls = new Ajv({ ...options, allErrors: true, coerceTypes: true, useDefaults: true })
  app.setValidatorCompiler<object>(({ schema, httpPart }) =>
    httpPart === 'body'
      ? inTwoSteps(
          onFirstUse(() => bodies.compile(schema)),
          onFirstUse(() => thorough.compile(schema)),
        )
      : withDigits(
          schema,
          onFirstUse(() => urls.compile(schema)),
        ),
  )
  // A schema that drops or converts fields of our own responses would hide mistakes.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
}

type Check = ((data: unknown) => boolean) & { errors: ErrorObject[] | null }

/** Most checks stop at the first fault. All faults are collected only for input that is quick to check. */
function inTwoSteps(first: Check, all: Check): Check {
  return checking((data, check) => {
    if (first(data)) return true
    const few = isSmall(data)
    if (few) all(data)
    check.errors = few ? all.errors : first.errors
    return false
  })
}

function checking(run: (data: unknown, check: Check) => boolean): Check {
  const check: Check = Object.assign((data: unknown): boolean => run(data, check), { errors: null })
  return check
}

/** In a URL, 1 and 0 mean true and false, too. */
function withDigits(schema: object, check: Check): Check {
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, { readonly type?: unknown }>> }
  const flags = Object.keys(properties).filter((name) => properties[name]?.type === 'boolean')
  if (flags.length === 0) return check
  return checking((data, own) => {
    const given = data as Record<string, unknown>
    for (const name of flags) given[name] = DIGITS.get(given[name]) ?? given[name]
    const isValid = check(data)
    own.errors = check.errors
    return isValid
  })
}

const DIGITS: ReadonlyMap<unknown, string> = new Map([
  ['1', 'true'],
  ['0', 'false'],
])

/** A body that was written by hand has fewer values. */
const MANY = 2000

function isSmall(data: unknown): boolean {
  const ahead = [data]
  let count = 0
  for (let next = ahead.pop(); next !== undefined && count < MANY; next = ahead.pop()) {
    const below = typeof next === 'object' && next !== null ? Object.values(next) : []
    count += below.length
    if (count < MANY) ahead.push(...below)
  }
  return count < MANY
}

/** Compiles on first use: all schemas would be a fifth of the start-up. Fastify reads `errors` if the result is false. */
function onFirstUse(compile: () => ValidateFunction): Check {
  let validate: ValidateFunction | undefined
  return checking((data, check) => {
    validate ??= compile()
    const isValid = validate(data) === true
    check.errors = validate.errors ?? null
    return isValid
  })
}

/** The faults of a request as findings, in the words of its author. */
export function shapeFindings(errors: readonly ErrorObject[], schema: unknown): Finding[] {
  const told = errors.filter((error) => !SUMMARIES.has(error.keyword))
  const findings = told.slice(0, MAX_FINDINGS).map((error) => findingOf(error, schema))
  if (told.length <= MAX_FINDINGS) return findings
  return [...findings, finding('', `${told.length - MAX_FINDINGS} more faults are not listed`)]
}

/** More are left out, because finding the nearest names takes time. */
const MAX_FINDINGS = 20

/** Keywords that only report that a part of them failed. */
const SUMMARIES = new Set(['anyOf', 'oneOf', 'if'])

function findingOf(error: ErrorObject, schema: unknown): Finding {
  const at = dotted(error.instancePath)
  if (error.keyword !== 'additionalProperties') return finding(at, `${at || 'The body'} ${error.message}`)
  const key = String(error.params.additionalProperty).slice(0, 100)
  const suggestions = nearest(key, Object.keys((schema as { properties?: object } | undefined)?.properties ?? {}))
  const path = at === '' ? key : `${at}.${key}`
  return { ...finding(path, `Unknown key '${key}'${didYouMean(suggestions)}`), ...(suggestions.length > 0 && { suggestions }) }
}

function finding(path: string, message: string): Finding {
  return { code: 'INVALID_REQUEST', message, path, severity: 'error' }
}

/** `/metadata/a/0` as `metadata.a[0]`. */
function dotted(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index > 0 ? `.${part}` : part))
    .join('')
}

/** The error for a body that its schema refuses, with a finding for each fault. */
export const readShape: ReadShape = (validation, request) => {
  if (request.body === undefined && request.routeOptions.schema?.body && request.method !== 'GET') {
    return new GrainlineError('BAD_REQUEST', 'The request has no body; send JSON')
  }
  const findings = shapeFindings(validation as Parameters<typeof shapeFindings>[0], request.routeOptions.schema?.body)
  const detail = findings.map((finding) => finding.message).join('; ')
  return new GrainlineError('INVALID_REQUEST', detail || 'The request is of the wrong shape.', { findings })
}
