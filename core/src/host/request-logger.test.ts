import { pino } from 'pino'
import t from 'tap'
import { requestLogger } from './request-logger.js'

t.test('the logger of a request is created on first use, with its bindings and its level', async (t) => {
  const lines: string[] = []
  const logger = pino({ level: 'info', base: null, timestamp: false }, { write: (line) => void lines.push(line) })
  let children = 0
  const { child } = logger
  logger.child = function (this: typeof logger, ...given: Parameters<typeof child>) {
    children++
    return child.apply(this, given)
  } as typeof child
  const own = requestLogger(logger, { reqId: 'a' })
  t.equal(children, 0)
  own.debug('not at this level')
  own.info({ status: 200 }, 'told')
  t.equal(children, 1)
  own.child({ step: 1 }).warn('below')
  t.equal(own.level, 'info')
  t.same(
    lines.map((line) => JSON.parse(line)),
    [
      { level: 30, reqId: 'a', status: 200, msg: 'told' },
      { level: 40, reqId: 'a', step: 1, msg: 'below' },
    ],
  )
  own.level = 'error'
  own.info('no longer')
  t.equal(lines.length, 2)
})
