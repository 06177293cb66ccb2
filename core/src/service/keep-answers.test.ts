import t from 'tap'
import type { CacheQuestion, ResultCache } from '../cache/result-cache.js'
import { GrainlineError } from '../errors.js'
import type { ExecuteOptions, Execution } from './asking.js'
import type { Understood } from './compile-result.js'
import { keepAnswers } from './keep-answers.js'

const cache = {
  maxValueBytes: 1000,
  placeOf: async () => ({ key: 'the same', lifetime: { seconds: 1 } }),
  find: async () => undefined,
} as unknown as ResultCache
const understood = {} as Understood
const question = {} as CacheQuestion

t.test('a query that waited for an equal query of another client is not refused for the budget of that client', async (t) => {
  const keeping = keepAnswers(cache)
  let refuse: (reason: unknown) => void = () => {}
  const heavy = () =>
    new Promise<Execution>((_, reject) => {
      refuse = reject
    })
  const own = {} as Execution
  const asked: ExecuteOptions[] = []
  const light = async (options: ExecuteOptions) => {
    asked.push(options)
    return own
  }
  const first = keeping(understood, question, heavy, {})
  const second = keeping(understood, question, light, {})
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(asked.length, 0, 'the second waits for the first')
  refuse(new GrainlineError('TOO_MANY_STATEMENTS', 'as many as may'))
  await t.rejects(first, { code: 'TOO_MANY_STATEMENTS' })
  t.equal(await second, own, 'and then asks by itself')

  const failing = keeping(understood, question, heavy, {})
  const sharing = keeping(understood, question, light, {})
  await new Promise((resolve) => setImmediate(resolve))
  refuse(new GrainlineError('DATABASE_ERROR', 'the statement is wrong'))
  await t.rejects(failing, { code: 'DATABASE_ERROR' })
  await t.rejects(sharing, { code: 'DATABASE_ERROR' }, 'what is wrong for one is wrong for all')
})
