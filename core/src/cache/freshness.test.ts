import fc from 'fast-check'
import t from 'tap'
import { holds } from '../../../test/specification/holds.js'
import { parseModelSync } from '../model/load-model.js'
import { durationSeconds } from '../model/refresh.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { lifetimeOf } from './freshness.js'
import { foldedName, marksFor, marksOf, mayBeSame } from './table-name.js'

const policy = { minSeconds: 5, maxSeconds: 86_400, unknownSeconds: undefined }

function modelOf(objects: Record<string, string>, settings = ''): SemanticModel {
  const lines = Object.entries(objects).map(
    ([name, rest]) =>
      `  ${name}:\n    code: ${name.toLowerCase()}\n    schema: public\n    columns: { Id: { code: id, abstractType: int } }\n${rest && `    ${rest}\n`}`,
  )
  const { model, errors } = parseModelSync({ text: `version: 1\n${settings}dataObjects:\n${lines.join('')}` })
  if (!model) throw new Error(JSON.stringify(errors))
  return model
}

t.test('a duration is parsed as people write it', async (t) => {
  const cases = { '90s': 90, '15m': 900, '1h': 3600, '1h 30m': 5400, '2 days': 172_800, '1W': 604_800, '5 minutes': 300 }
  for (const [text, seconds] of Object.entries(cases)) t.equal(durationSeconds(text), seconds, text)
  for (const text of ['', 'often', '1', '1y', '-1h', '1h,']) t.equal(durationSeconds(text), undefined, text)
})

t.test('the time to live of an answer is the shortest of its tables', async (t) => {
  const model = modelOf({
    Fixed: 'refresh: { mode: static }',
    Hourly: 'refresh: { mode: interval, interval: 1h }',
    Told: 'refresh: { mode: heartbeat, maxStaleness: 2h }',
    Silent: 'refresh: { mode: heartbeat }',
    Fast: 'refresh: { mode: interval, interval: 1s }',
    Unknown: '',
  })
  const now = new Date('2026-01-01T00:00:00Z')
  const of = (objects: string[], more = {}) => lifetimeOf(objects, model, now, { ...policy, ...more })
  t.match(of(['Fixed']), { seconds: 86_400, source: 'static', limitingTable: 'public.fixed' })
  t.match(of(['Fixed', 'Told', 'Hourly']), { seconds: 3600, source: 'interval', limitingTable: 'public.hourly' })
  t.match(of(['Told']), { seconds: 7200, source: 'heartbeat' })
  t.match(of(['Silent']), { seconds: 86_400, source: 'heartbeat' })
  t.match(of(['Hourly', 'Fast']), { seconds: 5 }, 'never shorter than the lower bound')
  t.equal(of(['Hourly', 'Unknown']), undefined, 'one unknown table is enough')
  t.match(of(['Hourly', 'Unknown'], { unknownSeconds: 300 }), {
    seconds: 300,
    source: 'default',
    limitingTable: 'public.unknown',
  })
  t.equal(of(['Hourly'], { maxSeconds: 0 }), undefined)
})

t.test('objects on one table share the contract that one of them declares, and no other may declare another', async (t) => {
  holds(t, 'cache.one-table')
  const text = `version: 1
dataObjects:
  A: { code: orders, refresh: { mode: static }, columns: { Id: { code: id, abstractType: int } } }
  B: { code: ORDERS, columns: { Id: { code: id, abstractType: int } } }
`
  const { model } = parseModelSync({ text })
  t.match(lifetimeOf(['B'], model!, new Date(), policy), { source: 'static' })
  const contrary = text.replace('code: ORDERS', 'code: ORDERS, refresh: { mode: interval, interval: 1h }')
  t.match(parseModelSync({ text: contrary }).errors, [{ code: 'SHARED_TABLE_CONTRACT_DISAGREEMENT' }])
})

t.test('loads are counted from the anchor time of the day in its zone', async (t) => {
  holds(t, 'cache.anchor')
  const left = (now: string, refresh: string, settings = '') =>
    lifetimeOf(['A'], modelOf({ A: `refresh: { mode: interval, ${refresh} }` }, settings), new Date(now), {
      ...policy,
      minSeconds: 1,
    })?.seconds
  t.equal(left('2026-01-01T05:59:00Z', `interval: 1d, anchor: '06:00'`), 60)
  t.equal(left('2026-01-01T06:00:00Z', `interval: 1d, anchor: '06:00'`), 86_400)
  t.equal(left('2026-01-01T10:30:00Z', `interval: 4h, anchor: '06:00'`), 12_600 - 1800 + 1800)
  t.equal(left('2026-01-01T05:00:00Z', `interval: 7h, anchor: '06:00'`), 3600, 'the last stretch of a day is shorter')
  t.equal(left('2026-01-01T04:30:00Z', `interval: 1d, anchor: '06:00', timezone: Europe/Berlin`), 1800)
  t.equal(left('2026-01-01T04:30:00Z', `interval: 1d, anchor: '06:00'`, 'settings: { defaultTimezone: Europe/Berlin }\n'), 1800)
  t.equal(
    left('2026-03-28T23:00:00Z', `interval: 1d, anchor: '06:00', timezone: Europe/Berlin`),
    5 * 3600,
    'an hour that does not happen is not waited for',
  )
})

t.test('the marks of a heartbeat and of a query match exactly if they may refer to the same table', async () => {
  const part = fc.option(fc.constantFrom('a', 'B', 'x.y'), { nil: undefined })
  const table = fc.record({ database: part, schema: part, name: fc.constantFrom('t', 'T', 'u') }).map(foldedName)
  fc.assert(
    fc.property(table, table, (beat, reader) => {
      const meet = marksFor(reader).some((mark) => marksOf(beat).includes(mark))
      return meet === mayBeSame(beat, reader)
    }),
    { numRuns: 1000 },
  )
})
