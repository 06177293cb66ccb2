/** The last year for which each engine converts instants between zones (docs/mysql.md): later instants are shown as stored. */

import { parseModelSync } from '@grainline/core/unstable'
import type { Cell } from '../support/answers.js'
import { compileFor } from '../support/compile.js'
import { type OpenEngine, type SuiteTest, withEngine } from './suites.js'

const { model } = parseModelSync({
  json: {
    settings: { queryTimezone: 'America/New_York' },
    dataObjects: {
      Terms: {
        code: 'terms',
        columns: {
          Id: { code: 'id', abstractType: 'int', primaryKey: true },
          Until: { code: 'until', abstractType: 'timestamp_tz' },
        },
      },
    },
    dimensions: { Id: { dataObject: 'Terms', column: 'Id' }, Hour: { dataObject: 'Terms', column: 'Until', timeGrain: 'hour' } },
  },
})

/** `shown`: the hour in New York of the last second, in UTC, of the years 2037, 3000 and 9999. */
export const farInstantsOn = (t: SuiteTest, open: OpenEngine, shown: readonly Cell[]): Promise<void> =>
  withEngine(t, open, async (engine) => {
    await engine.load(`CREATE OR REPLACE TABLE "terms" ("id" BIGINT, "until" TIMESTAMP WITH TIME ZONE);
      INSERT INTO "terms" VALUES (1, TIMESTAMP WITH TIME ZONE '2037-12-31 23:59:59+00'),
        (2, TIMESTAMP WITH TIME ZONE '3000-12-31 23:59:59+00'), (3, TIMESTAMP WITH TIME ZONE '9999-12-31 23:59:59+00')`)
    t.test('instants are shifted up to the last year that the engine supports', async (t) => {
      const query = { select: { dimensions: ['Id', 'Hour'] }, order_by: [{ field: 'Id' }] }
      const { sql, columns } = compileFor(query, model!, engine.dialect)
      const { rows } = await engine.ask(sql, columns)
      t.same(
        rows.map(([, hour]) => hour),
        shown,
      )
    })
  })
