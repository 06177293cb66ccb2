import t from 'tap'
import { finished } from '../query/finished.js'
import { isQuery } from '../query/is-query.js'
import { titleOf } from '../query/title-of.js'
import { comparedInWords } from './compared-in-words.js'
import { compareOf, KINDS, kindOf, ofKind, withCompare } from './comparison.js'

const between = (from: string, to: string) => [{ field: 'Day', op: 'between', value: [from, to] }]
const march = { select: { measures: ['Revenue'] }, where: between('2024-03-01', '2024-03-31') }

t.test('each kind is a comparison of the query, and read back', async (t) => {
  for (const kind of KINDS) t.equal(kindOf(compareOf(withCompare(march, ofKind(kind, 'Day')))), kind)
  const custom = { time: 'Day', unit: 'month', count: 3 }
  t.equal(kindOf(custom), 'custom')
  t.same(withCompare(withCompare(march, custom), undefined), march)
  t.equal(titleOf(withCompare(march, custom)), 'Revenue, compared')
})

t.test('it is asked if there are days and a measure', async (t) => {
  const compare = { time: 'Day', unit: 'range' }
  t.same(finished({ ...march, compare }), { ...march, compare })
  t.same(finished({ select: march.select, compare }), { select: march.select })
  t.same(finished({ ...march, select: { dimensions: ['Shop'] }, compare }), { ...march, select: { dimensions: ['Shop'] } })
})

t.test('the period before whole months is as many months where rows are months', async (t) => {
  const asked = (dimension: string, from: string, to: string) => {
    const select = { dimensions: [dimension], measures: ['Revenue'] }
    const { unit, count } = compareOf(finished({ select, where: between(from, to), compare: { time: 'Day', unit: 'range' } }))!
    return [unit, count]
  }
  t.same(asked('Day:month', '2024-01-01', '2024-03-31'), ['month', 3])
  t.same(asked('Day:quarter', '2023-10-01', '2024-03-31'), ['month', 6])
  t.same(asked('Day:month', '2024-01-02', '2024-03-31'), ['range', undefined], 'the server says why not')
  t.same(asked('Day:week', '2024-01-01', '2024-01-14'), ['week', 2])
  t.same(asked('Day:day', '2024-01-01', '2024-01-31'), ['range', undefined])
  t.same(asked('Shop', '2024-01-01', '2024-01-31'), ['range', undefined])
})

t.test('the days that were compared are those of the receipt', async (t) => {
  const receipt = { model: 'm', version: '1', definitions: [], filters: [], timezone: 'UTC', read_at: '2024-04-01' }
  const range = { metric: 'Revenue before', time: 'Day', from: '2024-03-01', to: '2024-03-31' }
  const compared = { from: '2024-02-01', to: '2024-02-01' }
  const time_ranges = [
    { ...range, level: [], compared },
    { ...range, metric: 'Revenue change', level: [], compared },
    { ...range, level: ['Shop'], compared: { from: null, to: null } },
    { ...range, metric: 'Other', level: [] },
  ]
  const [said, ...more] = comparedInWords({ ...receipt, time_ranges })
  t.match(said, /^Day: .*2024 to .*2024, compared with .*2024\.$/)
  t.same(more, [], 'once, for the total')
  t.same(comparedInWords(receipt), [])
  t.same(comparedInWords(undefined), [])
})

t.test('a link with another comparison is no query', async (t) => {
  t.ok(isQuery({ ...march, compare: { time: 'Day', unit: 'year', count: 2 } }))
  t.notOk(isQuery({ ...march, compare: { time: 'Day' } }))
  t.notOk(isQuery({ ...march, compare: { time: 'Day', unit: 'year', count: '2' } }))
})
