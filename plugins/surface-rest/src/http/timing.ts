import type { FastifyReply } from 'fastify'

/** The result of `work`. Its duration in milliseconds is added to the header `server-timing`. */
export async function timed<T>(reply: FastifyReply, name: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  const answer = await work()
  reply.header('server-timing', `${name};dur=${(performance.now() - started).toFixed(2)}`)
  return answer
}
