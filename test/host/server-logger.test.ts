import { Writable } from 'node:stream'
import t from 'tap'
import { createServerLog, createServerLogger, type LogSettings } from '../../core/src/host/server-logger.js'
import { holds } from '../specification/holds.js'

/** The lines of one message of every severity. */
function linesOf(settings: LogSettings): string[] {
  const lines: string[] = []
  const logger = createServerLogger(settings, { destination: { write: (line) => void lines.push(line) } })
  for (const severity of ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const) logger[severity](`said as ${severity}`)
  return lines
}

const CASES: readonly (readonly [LogSettings['LOG_LEVEL'], number])[] = [
  ['TRACE', 6],
  ['DEBUG', 5],
  ['INFO', 4],
  ['WARNING', 3],
  ['WARN', 3],
  ['ERROR', 2],
  ['CRITICAL', 1],
  ['FATAL', 1],
]

for (const [LOG_LEVEL, count] of CASES) {
  t.test(`LOG_LEVEL=${LOG_LEVEL} omits less severe lines`, async (t) => {
    holds(t, 'setting.LOG_LEVEL')
    const json = linesOf({ LOG_LEVEL, LOG_FORMAT: 'json' }).map((line) => JSON.parse(line))
    const all = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']
    t.same(
      json.map(({ level }) => level),
      all.slice(-count),
    )
    t.equal(linesOf({ LOG_LEVEL, LOG_FORMAT: 'cloudrun' }).length, count)
  })
}

t.test('cloudrun names severities and messages as Google Cloud reads them', async (t) => {
  holds(t, 'log.format')
  const lines = linesOf({ LOG_LEVEL: 'TRACE', LOG_FORMAT: 'cloudrun' }).map((line) => JSON.parse(line))
  t.same(
    lines.map(({ severity }) => severity),
    ['DEBUG', 'DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'],
  )
  t.match(lines[5], { message: 'said as fatal', time: /^\d{4}-/ })
})

t.test('the console shows the cause of an unexpected error below its message', async (t) => {
  const lines: string[] = []
  const write = (line: Buffer, _: string, done: () => void) => {
    lines.push(String(line))
    done()
  }
  const destination = new Writable({ write })
  const logger = createServerLogger({ LOG_LEVEL: 'INFO', LOG_FORMAT: 'console' }, { destination, worker: 2 })
  logger.error({ err: new Error('the disk is full') }, 'Something went wrong here')
  logger.info({ milliseconds: 3 }, 'GET /health 200')
  t.match(lines.join(''), /ERROR: worker 2: Something went wrong here\n {4}Error: the disk is full\n {8}at /)
  t.match(lines.at(-1), /INFO: worker 2: GET \/health 200\n$/)
})

t.test('a text of a client begins no line of the console, and controls no terminal', async (t) => {
  const lines: string[] = []
  const destination = new Writable({ write: (line, _, done) => done(void lines.push(String(line))) })
  const logger = createServerLogger({ LOG_LEVEL: 'INFO', LOG_FORMAT: 'console' }, { destination })
  const forged = 'a\n[00:00:00.000] ERROR: forged\r[00:00:00.000] ERROR: forged\u2028\u001b[2J\u202e'
  logger.warn(forged)
  logger.error({ err: new Error(forged) }, 'A statement failed')
  const said = lines.join('')
  t.equal(said.match(/^.*forged/gm)?.length, 4)
  t.equal(said.match(/^ {4,}\[00:00:00.000\] ERROR: forged/gm)?.length, 4)
  for (const control of ['\r', '\u001b', '\u2028', '\u202e']) t.notOk(said.includes(control))
  t.match(said, '\\u{1b}[2J\\u{202e}')
})

t.test('the line of a request is the same as pino would write', async (t) => {
  const urls = ['/v1/query/sql', '/v1/models/a%20b', '/v1/"quoted"\\', '/v1/ü€😀\u0001\u2028', '/v1/find?q=secret']
  for (const worker of [undefined, 3]) {
    const lines: string[] = []
    const output = { lastLevel: 50, write: (line: string) => void lines.push(line) }
    const settings = { LOG_LEVEL: 'INFO', LOG_FORMAT: 'json', DISABLE_SESSION_LIST: false } as const
    const { logger, controller } = createServerLog(settings, { output, worker })
    for (const url of urls) {
      const request = { url, id: 'a-1', method: 'POST', ip: '::1', server: { log: logger } }
      controller.requestCompleted(null, request as never, { statusCode: 200, elapsedTime: 1234.56 } as never)
      t.equal(output.lastLevel, 30)
      const path = url.split('?', 1)[0]
      const facts = { reqId: 'a-1', method: 'POST', url: path, status: 200, milliseconds: 1234.6, client: '::1' }
      logger.info(facts, `POST ${path} 200 1234.6 ms`)
    }
    const withoutTime = lines.map((line) => line.replace(/,"time":"[^"]*"/, ''))
    t.equal(lines.length, 2 * urls.length)
    for (let at = 0; at < lines.length; at += 2) t.equal(withoutTime[at], withoutTime[at + 1])
  }
})

t.test('a level above INFO omits the lines of requests', async (t) => {
  const output = { lastLevel: 0, write: () => t.fail('a line was written') }
  const settings = { LOG_LEVEL: 'WARNING', LOG_FORMAT: 'json', DISABLE_SESSION_LIST: false } as const
  const { logger, controller } = createServerLog(settings, { output })
  const request = { url: '/health', id: 'a-1', method: 'GET', ip: '::1', server: { log: logger } }
  controller.requestCompleted(null, request as never, { statusCode: 200, elapsedTime: 1 } as never)
})
