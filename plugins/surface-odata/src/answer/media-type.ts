import { GrainlineError } from '@grainline/core'
import type { FastifyRequest } from 'fastify'

/** How a client wants JSON. */
export interface JsonForm {
  readonly metadata: 'none' | 'minimal'
  readonly isCompatible: boolean
}

type Url = { readonly [name: string]: unknown }

/**
 * By `$format`, or else `Accept` (OData JSON 4.0, 3). Full metadata would repeat $metadata in every row; such a client gets the minimal
 * metadata, as the answer's type says. Throws `NOT_ACCEPTABLE` if JSON is none of the accepted types.
 */
export function jsonFormOf({ headers, query }: FastifyRequest): JsonForm {
  const format = (query as Url).$format ?? (query as Url).format
  const accepted = typeof format === 'string' ? format : (headers.accept ?? '*/*')
  const types = accepted.split(',').map((type) => type.trim().toLowerCase())
  const json = types.find((type) => /^(?:json|application\/json|application\/\*|\*\/\*)(?:\s*;|$)/.test(type))
  if (json === undefined) {
    throw new GrainlineError('NOT_ACCEPTABLE', `Feeds are JSON, and the request accepts ${accepted.slice(0, 100)}`, {
      hint: 'Accept application/json.',
    })
  }
  return { metadata: /metadata=none/.test(json) ? 'none' : 'minimal', isCompatible: /ieee754compatible=true/.test(json) }
}

export const contentTypeOf = ({ metadata, isCompatible }: JsonForm): string =>
  `application/json;odata.metadata=${metadata};IEEE754Compatible=${isCompatible};charset=utf-8`
