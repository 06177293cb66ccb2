import {
  type CacheBackend,
  createHost,
  definePlugin,
  type GrainlineError,
  type Host,
  type HostConfig,
  type HostOptions,
  type Logger,
  Type,
} from '@grainline/core'

export const NOBODY = { process: {}, dotenv: {} } as const

/** A host that sees no environment variable of the machine. */
export const hostOf = (config: HostConfig, options: HostOptions = {}) => createHost(config, { environment: NOBODY, ...options })

/** The error of a config; fails if there is none. */
export async function refusalOf(config: HostConfig, options: HostOptions = {}): Promise<GrainlineError> {
  const host = await hostOf(config, options).catch((error: GrainlineError) => error)
  if (host instanceof Error) return host
  await host.close()
  throw new Error('the config was accepted')
}

/** A plugin that runs the given functions. */
export const plugin = (
  name: string,
  setup: (host: Host) => void | Promise<void> = () => {},
  more: { dependencies?: string[]; host?: string } = {},
) => definePlugin({ name, host: '*', options: Type.Object({}, { additionalProperties: false }), ...more, setup })

export const cache = (name: string): CacheBackend => ({ name, open: async () => Promise.reject(new Error('never opened')) })

/** A logger that stores its lines. */
export function memoryLogger() {
  const lines: { readonly level: string; readonly message: string }[] = []
  const write = (level: string) => (object: object | string, message?: string) =>
    void lines.push({ level, message: message ?? String(object) })
  const logger: Logger = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: () => logger,
  }
  const at = (level: string) => lines.filter((line) => line.level === level).map(({ message }) => message)
  return { logger, at }
}
