/** `grainline serve --workers N`: the first process, and its workers, which run the same command. */
import cluster from 'node:cluster'
import { fail } from '../errors.js'
import type { HostConfig } from '../host/config.js'
import { settingsOf, startServer } from '../host/server.js'
import { createServerLogger } from '../host/server-logger.js'
import { Crew } from '../host/workers/crew.js'
import { joinCrew } from '../host/workers/join-crew.js'
import { executionEnabled } from '../service/public-settings.js'
import type { Environment } from '../settings/environment.js'
import { serveUntil } from './serve-until.js'
import { parentGone, type Signals, watchSignals } from './signals.js'

interface Workload {
  readonly count: number
  readonly config: HostConfig
  readonly environment: Environment
  /** Called in each worker once it listens. */
  readonly serving: (() => void) | undefined
  /** Called in the first process once all listen. */
  readonly ready: (address: string | undefined) => void
}

/** Resolves to the exit code. */
export function serveWorkers(workload: Workload): Promise<number> {
  return cluster.isPrimary ? lead(workload) : follow(workload)
}

async function lead({ count, config, environment, ready }: Workload): Promise<number> {
  const settings = settingsOf(config, environment)
  if (executionEnabled(settings) && count > settings.DB_POOL_SIZE)
    fail(
      'INVALID_VARIABLE',
      `${count} workers share DB_POOL_SIZE=${settings.DB_POOL_SIZE} connections, so each would have none`,
      {
        path: 'DB_POOL_SIZE',
        hint: 'Raise DB_POOL_SIZE, or start fewer workers.',
      },
    )
  const logger = createServerLogger(settings)
  const signals = watchSignals()
  const parent = parentGone(environment.process)
  const crew = new Crew({ count, settings, logger })
  try {
    const ending = Promise.race([signals.first, parent.gone.then(() => 'npm has ended')])
    const refused = await Promise.race([crew.start(), ending.then(() => 0)])
    if (refused !== undefined && refused !== 0) return refused
    if (refused === undefined) {
      logger.info({ workers: count }, `${count} workers serve`)
      ready(crew.address)
    }
    signals.onReload(() => crew.reload())
    const reason = await ending
    logger.info(`${reason}: closing ${count} workers`)
    await crew.close()
    return 0
  } finally {
    signals.forget()
    parent.forget()
  }
}

async function follow({ config, environment, serving }: Workload): Promise<number> {
  const signals = watchWorkerSignals()
  try {
    const { workers, ready, closing } = await joinCrew()
    const server = await startServer(config, environment, workers)
    ready({ logger: server.app.log, reload: server.reload, address: server.address })
    serving?.()
    return await serveUntil(server, [closing.then(() => 'The server ends'), signals.ended])
  } finally {
    signals.forget()
  }
}

/**
 * A terminal sends signals to all processes at once; the first one then tells the workers what to do. Only SIGTERM is meant for a worker
 * itself.
 */
function watchWorkerSignals(): { readonly ended: Promise<NodeJS.Signals>; readonly forget: Signals['forget'] } {
  const ignore = () => undefined
  let end: NodeJS.SignalsListener = ignore
  const ended = new Promise<NodeJS.Signals>((resolve) => {
    end = resolve
  })
  process.on('SIGTERM', end).on('SIGINT', ignore).on('SIGHUP', ignore)
  return { ended, forget: () => void process.off('SIGTERM', end).off('SIGINT', ignore).off('SIGHUP', ignore) }
}
