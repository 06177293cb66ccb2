/** The clock changes of twenty zones on DuckDB. test/interop tests all changes of eleven years. */
import t from 'tap'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { oneIn } from '../support/amount.js'
import { type ClockEngine, changesByTable, changesOn, disagreements, TICKS_TABLE, ticksModel, ZONES } from '../support/clocks.js'
import { database } from './database.js'

const db = await database("SET TimeZone = 'UTC'", TICKS_TABLE)
const engine: ClockEngine = {
  dialect: duckdb,
  rows: async (sql) => (await db.rows(sql)).map((row) => row.map(String)),
}

t.test('the engine and our table change the clocks of a zone in the same half hour for eleven years', async (t) => {
  for (const zone of oneIn(4, ZONES)) t.same(await changesOn(engine, zone), changesByTable(zone), zone)
})

t.test('a condition on a period selects the rows that are shown in it, at clock changes and otherwise', async (t) => {
  const model = ticksModel()
  for (const zone of oneIn(4, ZONES)) {
    const changes = changesByTable(zone).map(([tick]) => tick)
    const tick = Math.max(changes.at(-1)!, 200)
    for (const field of ['At hour', 'At day'])
      t.same(await disagreements(engine, model, { field, zone, tick, labels: 1 }), [], `${zone} ${field}`)
  }
})

t.test('weeks and months, and timestamps that are written with a zone', async (t) => {
  for (const zone of ['America/Havana', 'Atlantic/Azores', 'Australia/Lord_Howe']) {
    const tick = changesByTable(zone).at(-1)![0]
    for (const field of ['At week', 'At month'])
      t.same(await disagreements(engine, ticksModel(), { field, zone, tick, labels: 1 }), [], `${zone} ${field}`)
    const written = ticksModel(zone)
    const local = tick + Math.round(changesByTable(zone).at(-2)![1] / 1800)
    for (const field of ['Wall hour', 'Wall day'])
      t.same(
        await disagreements(engine, written, { field, zone: 'America/New_York', tick: local, labels: 3 }),
        [],
        `${zone} ${field}`,
      )
  }
})
