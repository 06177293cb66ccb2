/** Each principal sees the whole model, and principals with the same rights share one view, by which answers are kept. */
import t from 'tap'
import { loadText } from '../../../test/support/compile.js'
import { viewOf } from './view-of.js'

const NOW = new Date('2026-03-31T23:30:00Z')
const model = loadText(`
version: 1
dataObjects: { Items: { code: items, columns: { Id: { code: id, abstractType: int, primaryKey: true } } } }`)

t.test('a view is one value for all principals with the same rights', async (t) => {
  const principals = [undefined, { id: 'ann' }, { id: 'bob', administrator: true }, { id: 'ann' }]
  for (const by of principals) t.equal(viewOf(model, by, NOW), viewOf(model, undefined, NOW), JSON.stringify(by))
})

t.test('views of different models are different', async (t) => {
  t.not(viewOf({ ...model }, { id: 'ann' }, NOW), viewOf(model, { id: 'ann' }, NOW))
})

t.test('a day of a policy is that of the zone of the model, and the view is another one on the next day', async (t) => {
  const due = (value: string, settings = '') =>
    loadText(`
version: 1
${settings}
dataObjects: { Items: { code: items, columns: { Id: { code: id, abstractType: int, primaryKey: true }, Due: { code: due, abstractType: date } } } }
access: { rows: [{ name: due, dataObject: Items, where: { field: Items.Due, op: '>=', value: ${value} } }] }`)
  const days: Readonly<Record<string, string>> = {
    '{ relative: today }': '2026-03-31',
    '{ relative: start of month }': '2026-03-01',
    '{ relative: end of quarter }': '2026-03-31',
    '{ relative: 30 days ago }': '2026-03-01',
    '{ relative: 5 weeks ago }': '2026-02-24',
  }
  for (const [value, date] of Object.entries(days)) {
    const there = viewOf(due(value), { id: 'ann' }, NOW).restriction?.rows
    t.strictSame(there, viewOf(due(`'${date}'`), { id: 'ann' }, NOW).restriction?.rows, value)
  }
  const berlin = due('{ relative: today }', 'settings: { queryTimezone: Europe/Berlin }')
  t.match(viewOf(berlin, { id: 'ann' }, NOW).restriction?.rows, [{ condition: { values: ['2026-04-01'] } }])
  const tonight = new Date('2026-04-01T21:59:59Z')
  t.equal(viewOf(berlin, { id: 'ann' }, tonight), viewOf(berlin, { id: 'bob' }, NOW), 'the same day')
  const tomorrow = viewOf(berlin, { id: 'ann' }, new Date('2026-04-01T22:00:00Z'))
  t.not(tomorrow.contentHash, viewOf(berlin, { id: 'ann' }, NOW).contentHash, 'nothing that is kept is used on another day')
})
