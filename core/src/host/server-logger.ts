/** The logger of the standalone server, and its lines about requests. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LogController } from 'fastify'
import { type DestinationStream, type LoggerOptions, type Logger as Pino, pino, stdTimeFunctions } from 'pino'
import pretty from 'pino-pretty'
import type { Settings } from '../settings/core-variables.js'
import { logOutput } from './log-output.js'

export type LogSettings = Pick<Settings, 'LOG_LEVEL' | 'LOG_FORMAT'>

interface LoggerPlace {
  readonly destination?: DestinationStream
  /** The number of the worker, if there are several. */
  readonly worker?: number | undefined
}

/** Writes to standard output, synchronously, so that nothing is lost when the process ends. */
export function createServerLogger(settings: LogSettings, { destination, worker }: LoggerPlace = {}): Pino {
  const { LOG_LEVEL, LOG_FORMAT } = settings
  const level = LEVELS[LOG_LEVEL]
  if (LOG_FORMAT === 'console') {
    const stream = pretty({
      destination: (destination ?? pino.destination({ dest: 1, sync: true })) as never,
      sync: true,
      colorize: process.stdout.isTTY,
      ignore: 'pid,hostname,reqId',
      hideObject: true,
      messageFormat: (line) => consoleLine(line, worker),
    })
    return pino({ level }, stream)
  }
  const logger = pino({ level, ...(LOG_FORMAT === 'cloudrun' ? cloudRun : json) }, destination ?? logOutput())
  return worker === undefined ? logger : logger.child({ worker })
}

/** The message, and below it the cause of an unexpected error: the operator sees only this line. */
function consoleLine({ msg, err }: ConsoleLine, worker: number | undefined): string {
  const message = worker === undefined ? String(msg) : `worker ${worker}: ${msg}`
  return err === undefined ? message : `${message}\n${err.stack ?? err.message}`
}

interface ConsoleLine {
  readonly msg?: unknown
  readonly err?: { readonly message: string; readonly stack?: string }
}

/** One line per request, none in the cloudrun format, where the platform writes its own. */
export function createLogController({
  LOG_FORMAT,
  DISABLE_SESSION_LIST,
}: LogSettings & Pick<Settings, 'DISABLE_SESSION_LIST'>): LogController {
  return new OneLinePerRequest({ disableRequestLogging: LOG_FORMAT === 'cloudrun' }, DISABLE_SESSION_LIST)
}

class OneLinePerRequest extends LogController {
  constructor(
    options: ConstructorParameters<typeof LogController>[0],
    /** Paths contain session ids. If these are secret, the route is logged instead of the path. */
    private readonly routesOnly: boolean,
  ) {
    super(options)
  }

  override incomingRequest(): void {}

  override routeNotFound(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    if (this.isLogDisabled(request)) return
    // Without the query string, which may contain secrets.
    const path = request.url.split('?', 1)[0]
    const url = this.routesOnly ? (request.routeOptions.url ?? 'unknown route') : path
    const milliseconds = Math.round(reply.elapsedTime * 10) / 10
    const line = `${request.method} ${url} ${reply.statusCode} ${milliseconds} ms`
    const { id: reqId, method, ip: client } = request
    const facts = { reqId, method, url, status: reply.statusCode, milliseconds, client }
    // Not the logger of the request, which would have to be made for this line.
    if (error) request.server.log.error({ ...facts, err: error }, line)
    else request.server.log.info(facts, line)
  }
}

const LEVELS = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARNING: 'warn',
  WARN: 'warn',
  ERROR: 'error',
  CRITICAL: 'fatal',
  FATAL: 'fatal',
} as const satisfies Record<Settings['LOG_LEVEL'], string>

/** The same text for all lines of one millisecond. */
const isoTime = (() => {
  let at = Number.NaN
  let text = ''
  return () => {
    const now = Date.now()
    if (now !== at) {
      at = now
      text = `,"time":"${new Date(now).toISOString()}"`
    }
    return text
  }
})()

const json: LoggerOptions = { formatters: { level: (level) => ({ level }) }, timestamp: isoTime }

const SEVERITIES: Readonly<Record<string, string>> = {
  trace: 'DEBUG',
  debug: 'DEBUG',
  info: 'INFO',
  warn: 'WARNING',
  error: 'ERROR',
  fatal: 'CRITICAL',
}

/** The keys that Google Cloud's log reader looks for: https://cloud.google.com/logging/docs/structured-logging */
const cloudRun: LoggerOptions = {
  messageKey: 'message',
  formatters: { level: (level) => ({ severity: SEVERITIES[level] ?? 'DEFAULT' }) },
  timestamp: stdTimeFunctions.isoTime,
}
