/** The logger of the standalone server, and its lines about requests. */
import os from 'node:os'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LogController } from 'fastify'
import { type DestinationStream, type LoggerOptions, type Logger as Pino, pino, stdTimeFunctions } from 'pino'
import pretty from 'pino-pretty'
import { printable } from '../printable.js'
import type { Settings } from '../settings/core-variables.js'
import { type LogOutput, logOutput } from './log-output.js'
import { type RequestFacts, requestLine, sentenceOf } from './request-line.js'

export type LogSettings = Pick<Settings, 'LOG_LEVEL' | 'LOG_FORMAT'>

interface LoggerPlace {
  readonly destination?: DestinationStream | undefined
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
  const format = LOG_FORMAT === 'cloudrun' ? cloudRun : json
  return pino({ level, base: processFacts(worker), ...format }, destination ?? logOutput())
}

/** What every line in JSON says about its process. */
const processFacts = (worker: number | undefined) => ({
  pid: process.pid,
  hostname: os.hostname(),
  ...(worker !== undefined && { worker }),
})

/** The message, and below it the cause of an unexpected error: the operator sees only this line. */
function consoleLine({ msg, err }: ConsoleLine, worker: number | undefined): string {
  const message = worker === undefined ? String(msg) : `worker ${worker}: ${msg}`
  return indented(err === undefined ? message : `${message}\n${err.stack ?? err.message}`)
}

/** Errors repeat texts of clients: only the first line of an entry begins like one. */
const indented = (text: string): string =>
  text
    .split(/\r\n|[\r\n]/)
    .map(printable)
    .join('\n    ')

interface ConsoleLine {
  readonly msg?: unknown
  readonly err?: { readonly message: string; readonly stack?: string }
}

/** The logger of a server, and what writes one line per request: none in the cloudrun format, where the platform writes its own. */
export function createServerLog(
  settings: LogSettings & Pick<Settings, 'DISABLE_SESSION_LIST'>,
  { output, worker }: { readonly output?: LogOutput; readonly worker?: number | undefined } = {},
): { readonly logger: Pino; readonly controller: LogController } {
  const { LOG_FORMAT, DISABLE_SESSION_LIST } = settings
  const destination = LOG_FORMAT === 'json' ? (output ?? logOutput()) : undefined
  const logger = createServerLogger(settings, { destination, worker })
  const write = destination && requestLines(logger, destination, worker)
  const options = { disableRequestLogging: LOG_FORMAT === 'cloudrun' }
  return { logger, controller: new OneLinePerRequest(options, { routesOnly: DISABLE_SESSION_LIST, write }) }
}

/** Writes what `info` of this logger would, in a quarter of the time. */
function requestLines(logger: Pino, output: LogOutput, worker: number | undefined): (facts: RequestFacts) => void {
  const process = JSON.stringify(processFacts(worker)).slice(1, -1)
  return (facts) => {
    if (!logger.isLevelEnabled('info')) return
    output.lastLevel = INFO
    output.write(`{"level":"info"${isoTime()},${process},${requestLine(facts)}}\n`)
  }
}

/** The number of the level. */
const INFO = pino.levels.values.info ?? 30

interface HowLogged {
  /** Paths contain session ids. If these are secret, the route is logged instead of the path. */
  readonly routesOnly: boolean
  /** Where a line that reports no error goes; absent if the logger writes it. */
  readonly write: ((facts: RequestFacts) => void) | undefined
}

class OneLinePerRequest extends LogController {
  constructor(
    options: ConstructorParameters<typeof LogController>[0],
    private readonly how: HowLogged,
  ) {
    super(options)
  }

  override incomingRequest(): void {}

  override routeNotFound(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    if (this.isLogDisabled(request)) return
    const { routesOnly, write } = this.how
    // Without the query string, which may contain secrets.
    const url = routesOnly ? (request.routeOptions.url ?? 'unknown route') : pathOf(request.url)
    const milliseconds = Math.round(reply.elapsedTime * 10) / 10
    const { id: reqId, method, ip: client } = request
    const facts = { reqId, method, url, status: reply.statusCode, milliseconds, client }
    // Not the logger of the request, which would have to be made for this line.
    const { log } = request.server
    if (error) log.error({ ...facts, err: error }, sentenceOf(facts))
    else if (write !== undefined) write(facts)
    else log.info(facts, sentenceOf(facts))
  }
}

function pathOf(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
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
