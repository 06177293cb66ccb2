import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageOf } from '../invariant.js'
import type { Logger } from '../logger.js'
import type { PluginReport } from './inspection.js'

export interface StrayErrors {
  /** Resolves at the first exception. The code that it ended may have left anything half done, so that the process should end. */
  readonly thrown: Promise<void>
  forget(): void
}

type Origin = Pick<PluginReport, 'name' | 'from'>

/**
 * Logs errors that no code handles, with the plugin from whose file they come. A rejected promise ended no other code, so the process goes on; Node
 * would end it.
 */
export function watchStrayErrors(plugins: readonly Origin[], logger: Logger): StrayErrors {
  const say = (error: unknown, what: string) => {
    const plugin = pluginOf(error, plugins)
    const facts = { err: error, ...(plugin !== undefined && { plugin }) }
    logger.error(facts, `${plugin === undefined ? 'Code' : `Plugin ${plugin}`} ${what}: ${messageOf(error)}`)
  }
  let onException: (error: unknown) => void = () => undefined
  const thrown = new Promise<void>((resolve) => {
    onException = (error) => {
      say(error, 'threw an error that nothing caught, and the server ends')
      resolve()
    }
  })
  const onRejection = (reason: unknown) => say(reason, 'left a failure of its background work unhandled; the server goes on')
  process.on('unhandledRejection', onRejection).on('uncaughtException', onException)
  return {
    thrown,
    forget: () => void process.off('unhandledRejection', onRejection).off('uncaughtException', onException),
  }
}

/** More of a stack is not read: its first line is a message of any length. */
const LINES = 100
const LONGEST_LINE = 500

/** The plugin whose file, or else whose folder, the stack of an error names first. */
export function pluginOf(error: unknown, plugins: readonly Origin[]): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const lines = stack
    .split('\n', LINES)
    .map((line) => line.slice(0, LONGEST_LINE))
    .join('\n')
  const files = [...lines.matchAll(/(file:\/\/\/[^\s()]+?|\/[^()\n]+?|[A-Za-z]:\\[^()\n]+?):\d+:\d+/g)].map(([, file]) =>
    fileOf(file!),
  )
  const known = plugins.filter(({ from }) => path.isAbsolute(from))
  for (const file of files) {
    const own = known.find(({ from }) => from === file) ?? nearestFolder(file, known)
    if (own !== undefined) return own.name
  }
  return undefined
}

const fileOf = (written: string): string => (written.startsWith('file:') ? fileURLToPath(written) : written)

/** A library below the folder of a plugin is not the plugin. */
function nearestFolder(file: string, plugins: readonly Origin[]): Origin | undefined {
  return plugins
    .filter(({ from }) => {
      const below = path.relative(path.dirname(from), file)
      return !below.startsWith('..') && !path.isAbsolute(below) && !below.split(path.sep).includes('node_modules')
    })
    .toSorted((a, b) => path.dirname(b.from).length - path.dirname(a.from).length)[0]
}
