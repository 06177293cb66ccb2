/** The clock changes of twenty zones on PostgreSQL: the ends of summer time in eleven years. */
import { postgres } from '@grainline/dialect-postgres'
import t from 'tap'
import {
  type ClockEngine,
  changesByTable,
  changesOn,
  disagreements,
  TICKS_TABLE,
  ticksModel,
  ZONES,
} from '../../support/clocks.js'
import { openPostgres } from './open.js'

const opened = await openPostgres()
if (typeof opened === 'string') {
  t.plan(0, opened)
} else {
  t.teardown(opened.close)
  const { client } = opened
  await client.query("SET TIME ZONE 'UTC'")
  await client.query(TICKS_TABLE)
  const engine: ClockEngine = {
    dialect: postgres,
    rows: async (sql) => (await client.query({ text: sql, rowMode: 'array' })).rows.map((row) => row.map(String)),
  }

  t.test('the engine and our table change the clocks of a zone in the same half hour for eleven years', async (t) => {
    for (const zone of ZONES) t.same(await changesOn(engine, zone), changesByTable(zone), zone)
  })

  t.test('a condition on a period selects the rows that are shown in it', async (t) => {
    const model = ticksModel()
    for (const zone of ZONES)
      for (const [tick] of changesByTable(zone).slice(-2))
        for (const field of ['At hour', 'At day', 'At month'])
          t.same(
            await disagreements(engine, model, { field, zone, tick: Math.max(tick, 200), labels: 1 }),
            [],
            `${zone} ${field}`,
          )
  })

  t.test('a timestamp that is written with a zone', async (t) => {
    for (const zone of ['America/Havana', 'Atlantic/Azores', 'Australia/Lord_Howe']) {
      const [before, last] = changesByTable(zone).slice(-2) as [readonly [number, number], readonly [number, number]]
      const tick = last[0] + Math.round(before[1] / 1800)
      const found = await disagreements(engine, ticksModel(zone), { field: 'Wall hour', zone: 'Asia/Kathmandu', tick, labels: 2 })
      t.same(found, [], zone)
    }
  })
}
