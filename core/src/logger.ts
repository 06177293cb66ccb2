/** The logging methods that every part of Grainline uses; pino and Fastify's logger have them. */
export interface Logger {
  debug(object: object | string, message?: string): void
  info(object: object | string, message?: string): void
  warn(object: object | string, message?: string): void
  error(object: object | string, message?: string): void
  child(bindings: Record<string, unknown>): Logger
}

/** A logger that writes nothing, for tests and tools. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silentLogger }
