import type { Bindings, ChildLoggerOptions, Logger } from 'pino'

/** The logger of one request, created only if the request logs something before its last line. Most do not, and the last line needs none. */
export function requestLogger(logger: Logger, bindings: Bindings, options?: ChildLoggerOptions): Logger {
  return new RequestLogger(() => logger.child(bindings, options)) as unknown as Logger
}

class RequestLogger {
  #own: Logger | undefined

  constructor(private readonly make: () => Logger) {}

  get own(): Logger {
    this.#own ??= this.make()
    return this.#own
  }

  get level(): string {
    return this.own.level
  }

  set level(level: string) {
    this.own.level = level
  }
}

const VERBS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent', 'child'] as const

for (const verb of VERBS) {
  Object.defineProperty(RequestLogger.prototype, verb, {
    value(this: RequestLogger, ...said: never[]) {
      return (this.own[verb] as (...said: never[]) => unknown)(...said)
    },
  })
}
