import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ModelHandle } from '../context.js'

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** What a model says about itself never changes, so its content names the answer about it; 304 for a client that has it already. */
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
