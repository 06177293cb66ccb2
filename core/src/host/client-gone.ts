import type { FastifyReply, FastifyRequest } from 'fastify'
import { GrainlineError } from '../errors.js'

type Response = Pick<FastifyReply['raw'], 'closed' | 'writableFinished' | 'once'>

/** Creates a signal on first use. It aborts with `QUERY_CANCELLED` if the client disconnects before it has its answer. */
export function clientGone({ id }: Pick<FastifyRequest, 'id'>, response: Response): () => AbortSignal {
  let controller: AbortController | undefined
  const abortWhenGone = () => {
    if (response.writableFinished) return
    controller?.abort(new GrainlineError('QUERY_CANCELLED', `The client of request ${id} disconnected`))
  }
  return () => {
    if (controller !== undefined) return controller.signal
    controller = new AbortController()
    if (response.closed) abortWhenGone()
    else response.once('close', abortWhenGone)
    return controller.signal
  }
}
