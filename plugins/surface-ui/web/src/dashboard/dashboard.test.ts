import t from 'tap'
import { fromHash, toHash } from '../query/hash-state.js'
import { comparedTile, type Dashboard, daysCompared, daysOf, readDashboard, shownAs, tileQuery } from './dashboard.js'
import { readFileText, writeDashboard, writeQuestion } from './dashboard-file.js'

const query = { select: { dimensions: ['Month'], measures: ['Sales'] }, where: ['Country = 1'] }
const board: Dashboard = {
  title: 'Sales: overview',
  model: 'shop',
  time: { dimension: 'Day', span: 'last 3 months', compare: true },
  filters: [{ field: 'City', op: 'in', value: ['Ålesund'] }],
  tiles: [
    { title: 'By month', as: 'chart', query, chart: { kind: 'bar', line: 3 }, wide: true },
    { title: '', as: 'number', query: { select: { measures: ['Sales'] } } },
  ],
}

t.test('a dashboard is the same after it was in a file or in a link', async (t) => {
  t.same(readFileText(writeDashboard(board)), { kind: 'dashboard', dashboard: board })
  t.same(fromHash(toHash({ dashboard: board })), { dashboard: board })
})

t.test('a question is the same after it was in a file', async (t) => {
  const [question] = board.tiles
  const { wide: _wide, ...saved } = question!
  t.same(readFileText(writeQuestion(saved, 'shop')), { kind: 'question', question: saved, model: 'shop' })
})

t.test('a file that is neither says so', async (t) => {
  t.throws(() => readFileText('a: [1'), { message: /not YAML/ })
  for (const text of ['', 'name: shop', 'dashboard: {title: x}', 'question: {query: {}}', '- 1'])
    t.throws(() => readFileText(text), { message: /neither a dashboard/ })
})

t.test('wrong parts of a link are left out', async (t) => {
  t.equal(readDashboard({ tiles: 1 }), undefined)
  t.same(readDashboard({ tiles: [1, { query: 1 }, { query }], filters: 3, time: { dimension: 4 }, title: 5 }), {
    title: 'Dashboard',
    tiles: [{ title: '', as: 'table', query }],
  })
  t.same(readDashboard({ tiles: [], time: { dimension: 'Day', span: 'x', range: { from: '2024-13-99', to: 1 } } })?.time, {
    dimension: 'Day',
  })
})

t.test('the filters and days of a dashboard are part of each query', async (t) => {
  const range = daysOf(board, '2013-12-31')
  t.same(range, { from: '2013-10-01', to: '2013-12-31' })
  t.equal(daysOf(board, undefined), undefined)
  t.same(tileQuery(board.tiles[0]!, { filters: board.filters!, field: { name: 'Day', type: 'date' }, range }).where, [
    'Country = 1',
    { field: 'City', op: 'in', value: ['Ålesund'] },
    { field: 'Day', op: 'between', value: ['2013-10-01', '2013-12-31'] },
  ])
  t.equal(tileQuery({ query }, { field: undefined, range: undefined }), query)
})

t.test('a chart or a table has the period before beside its own, a number has it by itself', async (t) => {
  const [field, range] = [{ name: 'Day', type: 'date' }, daysOf(board, '2013-12-31')]
  const of = (...dimensions: readonly string[]) =>
    tileQuery({ query: { select: { dimensions, measures: ['Sales'] } } }, { field, range })
  const [months, cities] = [of('Day:month'), of('City')]
  const byMonths = { time: 'Day', unit: 'month', count: 3 }
  t.same(comparedTile({ as: 'chart' }, months, { field, range }), { ...months, compare: byMonths })
  const days = { from: '2013-02-01', to: '2013-02-27' }
  const cut = tileQuery({ query: cities }, { field, range: days })
  t.same(comparedTile({ as: 'table' }, cut, { field, range: days }), { ...cut, compare: { time: 'Day', unit: 'range' } })
  t.equal(comparedTile({ as: 'number' }, months, { field, range }), undefined)
  t.equal(comparedTile({ as: 'table' }, months, { field, range: undefined }), undefined)
  const alone = tileQuery({ query: { select: { dimensions: ['City'] } } }, { field, range })
  t.equal(comparedTile({ as: 'table' }, alone, { field, range }), undefined, 'without a measure')
  const own = { ...months, compare: { time: 'Day', unit: 'year' } }
  t.equal(comparedTile({ as: 'table' }, own, { field, range }), undefined)
})

t.test('whole months are compared with as many months, other days with as many days', async (t) => {
  t.same(daysCompared({ from: '2013-01-01', to: '2013-03-31' }), { from: '2012-10-01', to: '2012-12-31' })
  t.same(daysCompared({ from: '2013-02-01', to: '2013-02-27' }), { from: '2013-01-05', to: '2013-01-31' })
})

t.test('a question without groups is shown as numbers', async (t) => {
  t.equal(shownAs({ select: { measures: ['Sales'] } }), 'number')
  t.equal(shownAs(query), 'chart')
  t.equal(shownAs({ select: { fields: ['Orders.Id'] } }), 'table')
})
