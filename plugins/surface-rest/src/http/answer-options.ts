/** How a client wants its answer: the format by `?format=` or `Accept`, and whether display strings stand in it. */
import { GrainlineError, nearest, type ResultFormat, resultFormats, Type, zoneOffset } from '@grainline/core'
import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

/** What the URL of an answer may say. */
export const AnswerUrl = Type.Object({
  format: Type.Optional(
    Type.String({
      description: `json, ${[...resultFormats.keys()].join(', ')}; else by Accept, and json where that says nothing.`,
    }),
  ),
  format_values: Type.Optional(
    Type.Boolean({ description: 'Adds a column of display strings for every column that has a format.', default: false }),
  ),
  locale: Type.Optional(Type.String({ description: 'BCP 47; else DEFAULT_LOCALE, that of the model, or en-US.' })),
  timezone: Type.Optional(Type.String({ description: "IANA zone of display strings; else the query's." })),
  receipt: Type.Optional(
    Type.Boolean({
      description:
        'Adds what the numbers mean to an answer in JSON, and to the metadata of Arrow and Parquet: definitions, filters, zone, version.',
      default: false,
    }),
  ),
})

export interface AnswerOptions {
  /** `undefined` for JSON. */
  readonly format: ResultFormat | undefined
  readonly receipt: boolean
  readonly display: { readonly locale: string | undefined; readonly timezone: string | undefined } | undefined
}

/** Throws `NOT_ACCEPTABLE` for a format that is not offered, `INVALID_REQUEST` for a locale or zone that is none. */
export function answerOptionsOf(request: FastifyRequest): AnswerOptions {
  const { format, format_values, locale, timezone, receipt = false } = request.query as Type.Static<typeof AnswerUrl>
  checkLocale(locale)
  checkTimezone(timezone)
  return {
    format: format === undefined ? byAccept(request) : byName(format),
    receipt,
    display: format_values ? { locale, timezone } : undefined,
  }
}

const OFFERED = ['json', ...resultFormats.keys()]

function byName(name: string): ResultFormat | undefined {
  const wanted = name.toLowerCase()
  if (wanted === 'json') return undefined
  return resultFormats.get(wanted) ?? refuse(`'${name.slice(0, 60)}' is not a format`, nearest(wanted, OFFERED))
}

/** The bare media types, the most wanted first where a client takes several alike; `*` means JSON. */
const BY_TYPE: ReadonlyMap<string, ResultFormat | undefined> = new Map([
  ['application/json', undefined],
  ...[...resultFormats.values()].flatMap((format) =>
    [bare(format.mediaType), ...format.alsoKnownAs].map((type) => [type, format] as const),
  ),
])

function byAccept(request: FastifyRequest): ResultFormat | undefined {
  const { accept } = request.headers
  if (accept === undefined || accept === '') return undefined
  const type = new Negotiator(request.raw).mediaType([...BY_TYPE.keys()])
  return type === undefined ? refuse(`Nothing of '${accept.slice(0, 100)}' is offered`) : BY_TYPE.get(type)
}

function bare(mediaType: string): string {
  return mediaType.split(';')[0]!
}

function refuse(what: string, suggestions: readonly string[] = []): never {
  const types = [...resultFormats.values()].map(({ mediaType }) => bare(mediaType))
  throw new GrainlineError('NOT_ACCEPTABLE', `${what}; formats are ${OFFERED.join(', ')}`, {
    hint: `Accept one of application/json, ${types.join(', ')}.`,
    suggestions: suggestions.length > 0 ? suggestions : OFFERED,
  })
}

function checkLocale(locale: string | undefined): void {
  if (locale === undefined) return
  try {
    Intl.getCanonicalLocales(locale)
  } catch {
    invalid('locale', `'${locale.slice(0, 60)}' is not a BCP 47 locale such as en-GB`)
  }
}

function checkTimezone(timezone: string | undefined): void {
  if (timezone === undefined) return
  try {
    zoneOffset(timezone)
  } catch {
    invalid('timezone', `'${timezone.slice(0, 60)}' is not an IANA time zone such as Europe/Berlin`)
  }
}

function invalid(path: string, message: string): never {
  throw new GrainlineError('INVALID_REQUEST', message, { path })
}
