import t from 'tap'
import type { Query } from '../query/query.js'
import { placeOf, readQuery, writeQuery } from './query-text.js'

const query: Query = {
  select: { dimensions: ['A: b', 'yes'], measures: ['1'] },
  where: [{ field: 'x', op: 'eq', value: '007' }],
  limit: 5,
}

t.test('a query is parsed back from its text, in both notations', async (t) => {
  for (const notation of ['yaml', 'json'] as const) t.same(readQuery(writeQuery(query, notation)), { query })
})

t.test('a text that is not a query has an error with its position', async (t) => {
  t.match(readQuery('select: [1'), { message: String, from: Number })
  t.match(readQuery('measures: [Revenue]'), { message: /select/ })
  t.match(readQuery(''), { message: /select/ })
  t.match(readQuery('a: &a [x, x]\nb: &b [*a, *a]\nselect: {}'), { query: { select: {} } })
})

t.test('the path of a finding is a position in the text', async (t) => {
  const text = writeQuery(query, 'yaml')
  const at = (path: string) => {
    const { from, to } = placeOf(text, path)
    return text.slice(from, to)
  }
  t.equal(at('select.dimensions[0]'), '"A: b"')
  t.equal(at('where[0].value'), '"007"')
  t.equal(at('query.limit'), '5')
  t.equal(at('where[7].value').trim().startsWith('- field'), true, 'what is missing is its parent')
})
