/** Local times in a zone, with hand-computed values; then generated queries in zones. */
import t from 'tap'
import { ask } from './asking.js'
import { runBatch } from './batch.js'
import { runOn } from './compiled.js'
import { openEngine } from './duckdb.js'
import type { ModelJson, Tables } from './model.js'
import { wallOf } from './zones.js'

const column = (code: string, abstractType: string) => ({ code, abstractType })
const modelWith = (settings: NonNullable<ModelJson['settings']>): ModelJson => ({
  settings,
  dataObjects: {
    Visits: {
      code: 'visits',
      columns: {
        id: { code: 'id', abstractType: 'int', primaryKey: true },
        at: column('at', 'timestamp_tz'),
        wall: column('wall', 'timestamp'),
      },
    },
  },
  dimensions: { at: { dataObject: 'Visits', column: 'at' }, wall: { dataObject: 'Visits', column: 'wall' } },
})
const data: Tables = {
  Visits: [
    { id: 1, at: '2024-03-30 22:30:00', wall: '2024-03-30 23:30:00' },
    { id: 2, at: '2024-03-30 23:30:00', wall: '2024-03-31 00:30:00' },
    { id: 3, at: '2024-03-31 22:30:00', wall: '2024-04-01 00:30:00' },
  ],
}
const by = (dimension: string, more: object = {}) => ({
  select: { dimensions: [dimension], measures: ['Visits Count'] },
  order_by: [{ field: 1 }],
  ...more,
})

t.test('an instant is in the day of the zone, before and after its clock change', async (t) => {
  t.same(ask(by('at:day', { timezone: 'Europe/Berlin' }), modelWith({}), data), ['2024-03-30 1', '2024-03-31 1', '2024-04-01 1'])
  t.same(ask(by('at:day'), modelWith({}), data), ['2024-03-30 2', '2024-03-31 1'])
  const day = { where: [{ field: 'at', op: 'eq', value: '2024-03-31' }], timezone: 'Europe/Berlin' }
  t.same(ask({ select: { measures: ['Visits Count'] }, ...day }, modelWith({}), data), ['1'])
})

t.test('a timestamp without a zone is converted if its own zone is known, and is shown unchanged', async (t) => {
  const naive = { defaultTimezone: 'Europe/Berlin', queryTimezone: 'UTC' }
  t.same(ask(by('wall:day'), modelWith(naive), data), ['2024-03-30 2', '2024-03-31 1'])
  t.same(ask(by('wall:day'), modelWith({ queryTimezone: 'UTC' }), data), ['2024-03-30 1', '2024-03-31 1', '2024-04-01 1'])
  t.same(ask(by('wall', { limit: 1 }), modelWith(naive), data), ['2024-03-30 23:30:00 1'])
})

t.test('half hours, and midnight to the microsecond', async (t) => {
  const at = (iso: string): number => Date.parse(`${iso}Z`) * 1000
  t.equal(wallOf(at('2024-01-01T00:00:00'), 'America/St_Johns'), at('2023-12-31T20:30:00'))
  t.equal(wallOf(at('2023-12-31T18:29:59') + 999_999, 'Asia/Kolkata'), at('2023-12-31T23:59:59') + 999_999)
})

const seed = Number(process.env['ORACLE_SEED'] ?? 20260115)
t.test(`150 generated queries in time zones have the answers of the oracle (ORACLE_SEED=${seed})`, async (t) => {
  const engine = await openEngine()
  t.teardown(engine.close)
  const { answered, failures } = await runBatch(runOn(engine), seed, { from: 30_000, count: 150, later: ['zones'] })
  for (const failure of failures) t.fail(failure)
  t.ok(answered > 100, `${answered} answered`)
})
