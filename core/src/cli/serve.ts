import path from 'node:path'
import { readConfig } from '../host/config.js'
import { type Server, startServer } from '../host/server.js'
import { lookup, readEnvironment } from '../settings.js'
import { type CommandIo, readFlags, UsageError } from './command.js'

/** Serves until SIGTERM or SIGINT; a second signal ends the process at once. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { config: given } = readFlags(args, { config: { type: 'string' } })
  const file = given === undefined ? io.defaultConfig : path.resolve(io.cwd, given)
  if (file === undefined) throw new UsageError('serve needs --config FILE')
  const environment = readEnvironment({ env: io.env, dotenv: io.cwd })
  const config = await readConfig(file, (name) => lookup(environment, name))
  const server = await startServer(config, environment)
  if (server.address === undefined) server.app.log.warn('No http surface is loaded: only sockets listen')
  return await closedBySignal(server)
}

function closedBySignal(server: Server): Promise<number> {
  return new Promise((resolve) => {
    let closing = false
    const stop = (signal: NodeJS.Signals) => {
      if (closing) process.exit(1)
      closing = true
      server.app.log.info(`${signal}: closing`)
      server.close().then(
        () => resolve(0),
        (err) => {
          server.app.log.error({ err }, 'Closing failed')
          resolve(1)
        },
      )
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  })
}
