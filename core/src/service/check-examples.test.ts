import t from 'tap'
import { fail } from '../errors.js'
import { parseModelSync } from '../model/load-model.js'
import { checkExamples } from './check-examples.js'

const { model } = parseModelSync({
  json: {
    dataObjects: { T: { code: 't', columns: {} } },
    examples: [
      { name: 'good', query: 'fine' },
      { name: 'bad', query: 'UNKNOWN_MEASURE' },
    ],
    tests: [
      { name: 'asks', query: 'fine' },
      { name: 'is refused', query: 'UNKNOWN_MEASURE', expect: { error: 'UNKNOWN_MEASURE' } },
      { name: 'is refused otherwise', query: 'NO_JOIN_PATH', expect: { error: 'UNKNOWN_MEASURE' } },
      { name: 'fails', query: 'NO_JOIN_PATH', expect: { row_count: 1 } },
    ],
  },
})

t.test('examples and tests that do not compile are reported, unless the test expects that', async (t) => {
  const compile = (query: unknown) => query === 'fine' || fail(query as 'NO_JOIN_PATH', 'because', { path: 'select' })
  t.match(await checkExamples(model!, compile), [
    { code: 'INVALID_EXAMPLE', path: 'examples[1].query.select', message: "Example 'bad' does not compile: because" },
    { code: 'INVALID_TEST', path: 'tests[2].query.select', message: /'is refused otherwise'/, context: { code: 'NO_JOIN_PATH' } },
    { code: 'INVALID_TEST', path: 'tests[3].query.select', message: /'fails'/, severity: 'warning' },
  ])
})
