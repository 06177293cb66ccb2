import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ModelHandle } from '../context.js'

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** A loaded model never changes, so the hash of its content is the ETag of answers about it. A client that has the answer gets 304. */
export async function sendTagged(
  { request, reply }: Exchange,
  { model, modelId }: ModelHandle,
  describe: () => unknown,
  version = '',
): Promise<FastifyReply> {
  const tag = `"${model.contentHash.slice(0, 32)}-${encodeURIComponent(modelId).slice(0, 64)}${version}"`
  const description = await describe()
  reply.header('etag', tag).header('cache-control', 'private, no-cache')
  const known = request.headers['if-none-match']?.split(',').map((entry) => entry.trim().replace(/^W\//, ''))
  if (known?.some((entry) => entry === tag || entry === '*')) return reply.code(304).send()
  return reply.send(description)
}
