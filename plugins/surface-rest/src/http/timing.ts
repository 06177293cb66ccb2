import type { FastifyReply } from 'fastify'

/** What `work` answers; the response says in `server-timing` how many milliseconds it took. */
export async function timed<T>(reply: FastifyReply, name: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  const answer = await work()
  reply.header('server-timing', `${name};dur=${(performance.now() - started).toFixed(2)}`)
  return answer
}
