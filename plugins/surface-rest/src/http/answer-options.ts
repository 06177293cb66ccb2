/** Reads how a client wants its answer: the format from `?format=` or `Accept`, and whether it contains display strings. */
import { GrainlineError, Type } from '@grainline/core'
import { type ResultFormat, zoneOffset } from '@grainline/core/format'
import { nearest } from '@grainline/core/language'
import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

/** The URL parameters of routes that answer with rows. */
export const AnswerUrl = Type.Object({
  format: Type.Optional(
    Type.String({
      description:
        'json, or a format of a plugin: ndjson, csv, tsv, arrow, parquet. Without it, Accept decides; the default is json.',
    }),
  ),
  compression: Type.Optional(
    Type.String({
      description:
        'The codec inside a format that has a choice: none, gzip or brotli for parquet, and zstd if Node supports it. Default: none.',
    }),
  ),
  format_values: Type.Optional(
    Type.Boolean({ description: 'Adds a column of display strings for every column that has a format.', default: false }),
  ),
  locale: Type.Optional(Type.String({ description: 'A BCP 47 locale. Default: DEFAULT_LOCALE, that of the model, or en-US.' })),
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
  /** `undefined` means JSON. */
  readonly format: ResultFormat | undefined
  /** A codec of the format. `undefined` means its default. */
  readonly compression: string | undefined
  readonly receipt: boolean
  readonly display: { readonly locale: string | undefined; readonly timezone: string | undefined } | undefined
}

type Formats = readonly ResultFormat[]

export type AnswerQuery = Type.Static<typeof AnswerUrl>

/** Throws `NOT_ACCEPTABLE` for an unknown format, and `INVALID_REQUEST` for an unknown locale, time zone or codec. */
export function answerOptionsOf(request: FastifyRequest<{ Querystring: AnswerQuery }>, formats: Formats): AnswerOptions {
  const asked = request.query
  const { format_values, locale, timezone, receipt = false } = asked
  checkLocale(locale)
  checkTimezone(timezone)
  const format = asked.format === undefined ? byAccept(request, formats) : byName(asked.format, formats)
  return {
    format,
    compression: compressionOf(asked.compression, format),
    receipt,
    display: format_values ? { locale, timezone } : undefined,
  }
}

function byName(name: string, formats: Formats): ResultFormat | undefined {
  const wanted = name.toLowerCase()
  if (wanted === 'json') return undefined
  const found = formats.find((format) => format.name === wanted)
  return found ?? refuse(`'${name.slice(0, 60)}' is not a format`, formats, nearest(wanted, namesOf(formats)))
}

/** The type that the client prefers. Of types with equal preference the first one is used; `*` means JSON. */
function byAccept(request: FastifyRequest, formats: Formats): ResultFormat | undefined {
  const { accept } = request.headers
  if (accept === undefined || accept === '') return undefined
  const types = formats.flatMap(({ mediaType, alsoKnownAs }) => [bare(mediaType), ...alsoKnownAs])
  const type = new Negotiator(request.raw).mediaType(['application/json', ...types])
  if (type === undefined) return refuse(`No format matches Accept: ${accept.slice(0, 100)}`, formats)
  return formats.find(({ mediaType, alsoKnownAs }) => type === bare(mediaType) || alsoKnownAs.includes(type))
}

function compressionOf(name: string | undefined, format: ResultFormat | undefined): string | undefined {
  if (name === undefined) return undefined
  const { name: formatName, compressions = [] } = format ?? { name: 'json' }
  const wanted = name.toLowerCase()
  if (compressions.includes(wanted)) return wanted
  throw new GrainlineError('INVALID_REQUEST', `'${name.slice(0, 60)}' is not a compression of ${formatName}`, {
    path: 'compression',
    hint:
      compressions.length > 0
        ? `Compressions of ${formatName} are ${compressions.join(', ')}.`
        : `Leave compression out: ${formatName} has no compression of its own. Use Accept-Encoding to compress the response.`,
    suggestions: nearest(wanted, compressions),
  })
}

const namesOf = (formats: Formats): string[] => ['json', ...formats.map(({ name }) => name)]

function bare(mediaType: string): string {
  return mediaType.split(';')[0]!
}

function refuse(what: string, formats: Formats, suggestions: readonly string[] = []): never {
  const types = formats.map(({ mediaType }) => bare(mediaType))
  const names = namesOf(formats)
  throw new GrainlineError('NOT_ACCEPTABLE', `${what}; formats are ${names.join(', ')}`, {
    hint: `Accept one of application/json, ${types.join(', ')}.`,
    suggestions: suggestions.length > 0 ? suggestions : names,
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
