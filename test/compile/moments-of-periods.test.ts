/** Days in periods of times: `holds` says which moment of the day counts. The expected days are written by hand. */
import t from 'tap'
import { compileFor, loadText } from '../support/compile.js'
import { database } from './database.js'

const model = (holds: string, type = 'timestamp', zone = '') =>
  loadText(`
version: 1
dataObjects:
  Stays:
    code: stays
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Arrived: { code: ${type === 'timestamp' ? 'arrived' : 'arrived_at'}, abstractType: ${type} }
      Left: { code: ${type === 'timestamp' ? 'gone' : 'gone_at'}, abstractType: ${type} }
    joins:
      - { joinType: many-to-many, joinTo: Days, columnsFrom: [], columnsTo: [], during: { interval: here, time: Day, from: Arrived, to: Left, ${holds}${zone} } }
  Days:
    code: days
    columns:
      Day: { code: day, abstractType: date, primaryKey: true }
dimensions:
  Stay: { dataObject: Stays, column: Id }
  Day: { dataObject: Days, column: Day }
measures:
  Stays: { aggregation: count, columns: [{ dataObject: Stays, column: Id }] }
`)

const { rows } = await database(
  "SET TimeZone = 'UTC'",
  `CREATE TABLE stays AS SELECT *, timezone('UTC', arrived) AS arrived_at, timezone('UTC', gone) AS gone_at FROM (VALUES
    (1, TIMESTAMP '2024-05-01 15:00', TIMESTAMP '2024-05-03 10:00'), (2, TIMESTAMP '2024-05-01 00:00', TIMESTAMP '2024-05-02 00:00'),
    (3, TIMESTAMP '2024-05-02 09:00', TIMESTAMP '2024-05-02 09:00'), (4, TIMESTAMP '2024-05-03 23:00', NULL), (5, NULL, TIMESTAMP '2024-05-02 00:00')) v(id, arrived, gone)`,
  "CREATE TABLE days AS SELECT DATE '2024-05-01' + i::INT AS day FROM range(4) r(i)",
)

const daysOf = async (of: ReturnType<typeof model>): Promise<Record<string, string[]>> => {
  const query = { select: { dimensions: ['Stay', 'Day'], measures: ['Stays'] }, order_by: [{ field: 'Stay' }, { field: 'Day' }] }
  const found = await rows(compileFor(query, of).sql)
  const days: Record<string, string[]> = {}
  for (const [stay, day] of found) days[String(stay)] = [...(days[String(stay)] ?? []), String(day ?? '').slice(8)]
  return days
}

t.test('any moment of the day', async (t) =>
  t.same(await daysOf(model('holds: any')), { 1: ['01', '02', '03'], 2: ['01'], 3: [''], 4: ['03', '04'], 5: [''] }),
)
t.test('the first moment of the day', async (t) =>
  t.same(await daysOf(model('holds: start')), { 1: ['02', '03'], 2: ['01'], 3: [''], 4: ['04'], 5: [''] }),
)
t.test('the last moment of the day', async (t) =>
  t.same(await daysOf(model('holds: end')), { 1: ['01', '02'], 2: ['01'], 3: [''], 4: ['03', '04'], 5: [''] }),
)
t.test('instants are read in the zone of the join', async (t) => {
  // In Tokyo nine hours later: from the 2nd at 0:00 to the 3rd at 19:00, and from the 1st at 9:00 to the 2nd at 9:00.
  const found = await daysOf(model('holds: start', 'timestamp_tz', ', zone: Asia/Tokyo'))
  t.same(found, { 1: ['02', '03'], 2: ['02'], 3: [''], 4: [''], 5: [''] })
})
