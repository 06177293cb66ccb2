import t from 'tap'
import { GrainlineError } from '../errors.js'
import type { QueryEvent } from './asking.js'
import type { ModelHandle, QueryTarget } from './held-models.js'
import { Observers, observeQueries } from './observe-queries.js'

const late = () => Promise.reject(new GrainlineError('QUERY_TIMEOUT', 'The query took longer than 1 s'))
const handle = { sessionId: 's', modelId: 'm' } as ModelHandle
const resolve = ({ sessionId }: QueryTarget): ModelHandle => {
  if (sessionId !== 's') throw new GrainlineError('SESSION_NOT_FOUND', 'No such session')
  return handle
}

function observed() {
  const seen: QueryEvent[] = []
  const observers = new Observers()
  observers.add((event) => void seen.push(event))
  return { seen, verbs: observeQueries({ compile: late, execute: late, dimensionValues: late }, observers, resolve) }
}

t.test('what is told of a question that ran out of time says which session and model it was asked of', async (t) => {
  const { seen, verbs } = observed()
  const target = { sessionId: 's' }
  await t.rejects(verbs.execute({ target, query: {} }), { code: 'QUERY_TIMEOUT' })
  await t.rejects(verbs.compile({ target, query: {} }), { code: 'QUERY_TIMEOUT' })
  await t.rejects(verbs.dimensionValues({ target, dimension: 'Region', limit: 5 }), { code: 'QUERY_TIMEOUT' })
  const told = { outcome: 'QUERY_TIMEOUT', sessionId: 's', modelId: 'm' }
  t.match(seen, [
    { ...told, verb: 'execute' },
    { ...told, verb: 'compile' },
    { ...told, verb: 'values' },
  ])
})

t.test('a question of a session that is not there has none', async (t) => {
  const { seen, verbs } = observed()
  await t.rejects(verbs.execute({ target: { sessionId: 'x' }, query: {} }), { code: 'QUERY_TIMEOUT' })
  t.match(seen, [{ verb: 'execute', outcome: 'QUERY_TIMEOUT', sessionId: undefined, modelId: undefined }])
})
