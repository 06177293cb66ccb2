/** The first step of a worker: it receives its number. */
import { type Logger, silentLogger } from '../../logger.js'
import type { Workers } from '../../workers/workers.js'
import { workersOver } from './line.js'
import type { FromWorker, ToWorker } from './messages.js'

/** The logger of a server that listens, its reload and its address. */
interface ReadyServer {
  readonly logger: Logger
  readonly reload: () => Promise<void>
  readonly address: string | undefined
}

export interface Joined {
  readonly workers: Workers
  /** It listens. `reload` runs when the operator asks for it, one at a time. */
  ready(server: ReadyServer): void
  /** Runs when the worker should end. */
  readonly closing: Promise<void>
}

export function joinCrew(): Promise<Joined> {
  let logger: Logger = silentLogger
  let reload = async () => {}
  let reloading = Promise.resolve()
  let close = () => {}
  const closing = new Promise<void>((resolve) => {
    close = resolve
  })
  return new Promise((resolve) => {
    let line: ReturnType<typeof workersOver> | undefined
    process.on('message', (message: ToWorker) => {
      switch (message.kind) {
        case 'welcome':
          line = workersOver(message, send)
          resolve({
            workers: line.workers,
            closing,
            ready(server) {
              logger = server.logger
              reload = server.reload
              send({ kind: 'ready', address: server.address })
            },
          })
          return
        case 'close':
          return close()
        case 'reload':
          reloading = reloading.then(() => reload())
          return
        default:
          line?.heard(message, logger)
      }
    })
    send({ kind: 'hello' })
  })
}

/** Throws for a value that cannot be cloned. If the first process is gone, this one ends anyway. */
function send(message: FromWorker): void {
  process.send?.(message, undefined, undefined, () => undefined)
}
