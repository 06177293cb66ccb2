import { didYouMean, type Finding, nearest } from '@grainline/core'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifyInstance } from 'fastify'

/** Bodies are taken as they are: nothing is converted, filled in or stripped. Only what a URL can say is converted from text. */
export function validateStrictly(app: FastifyInstance): void {
  const bodies = new Ajv({ allErrors: true, strict: false, validateFormats: false })
  const urls = new Ajv({ allErrors: true, strict: false, validateFormats: false, coerceTypes: true, useDefaults: true })
  app.setValidatorCompiler(({ schema, httpPart }) =>
    onFirstUse(() => (httpPart === 'body' ? bodies : urls).compile(schema as object)),
  )
  // Responses are built by us; a schema that drops or converts fields on the way out would only hide mistakes.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
}

/** Some sixty schemas are a fifth of the start-up, and most routes are not asked at once. Fastify reads `errors` where the answer is false. */
function onFirstUse(compile: () => ValidateFunction) {
  let validate: ValidateFunction | undefined
  const check = (data: unknown): boolean => {
    validate ??= compile()
    const isValid = validate(data) as boolean
    check.errors = validate.errors ?? null
    return isValid
  }
  check.errors = null as ErrorObject[] | null
  return check
}

/** What is wrong with a request, one finding per fault, in the words of the person who wrote it. */
export function shapeFindings(errors: readonly ErrorObject[], schema: unknown): Finding[] {
  return errors.filter((error) => !SUMMARIES.has(error.keyword)).map((error) => findingOf(error, schema))
}

/** Keywords that only say that something below them failed. */
const SUMMARIES = new Set(['anyOf', 'oneOf', 'if'])

function findingOf(error: ErrorObject, schema: unknown): Finding {
  const at = dotted(error.instancePath)
  if (error.keyword !== 'additionalProperties') return finding(at, `${at || 'The body'} ${error.message}`)
  const key = String(error.params.additionalProperty)
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
