import t from 'tap'
import { logOutput } from './log-output.js'
import { createServerLogger } from './server-logger.js'

/** A logger, and what was written by each call to the system. */
function logging() {
  const writes: string[][] = []
  const messages = (text: string) => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).msg as string]))
  const destination = logOutput((text) => writes.push(messages(text)))
  return { logger: createServerLogger({ LOG_LEVEL: 'INFO', LOG_FORMAT: 'json' }, { destination }), writes }
}

t.test('the first line is written at once, the following lines together', async (t) => {
  const { logger, writes } = logging()
  logger.info('a')
  t.same(writes, [['a']])
  logger.info('b')
  logger.info('c')
  t.same(writes, [['a']])
  while (writes.length < 2) await new Promise(setImmediate)
  t.same(writes, [['a'], ['b', 'c']])
})

t.test('a warning flushes the buffered lines, in order', async (t) => {
  const { logger, writes } = logging()
  for (const line of ['a', 'b']) logger.info(line)
  logger.warn('c')
  t.same(writes, [['a'], ['b', 'c']])
})

t.test('long text is written at once', async (t) => {
  const { logger, writes } = logging()
  const long = 'x'.repeat(9000)
  for (const line of ['a', 'b', long]) logger.info(line)
  t.same(writes, [['a'], ['b', long]])
})

t.test('buffered lines are written when the process exits', async (t) => {
  const before = process.listeners('exit')
  const { logger, writes } = logging()
  for (const line of ['a', 'b']) logger.info(line)
  for (const listener of process.listeners('exit')) if (!before.includes(listener)) listener(0)
  t.same(writes, [['a'], ['b']])
})
