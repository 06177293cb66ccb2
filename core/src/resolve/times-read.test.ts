/** The range that a value at a coarser grain reads, where its ends are moved. */
import t from 'tap'
import { compileFor } from '../../../test/support/compile.js'
import { shopAnd } from '../../../test/support/models.js'

t.test('rows without a time are left out where a range with one end is moved to one without ends', async (t) => {
  const model = shopAnd({
    metrics: {
      'All at the Start':
        '{ type: period_over_period, measure: Sales of All, periodOverPeriod: { timeDimension: Day, offsetToGrain: year, comparison: previousValue } }',
    },
  })
  const select = { dimensions: ['Day'], measures: ['All at the Start'] }
  const ofAll = (sql: string): string => /SELECT SUM[^)]*\) AS "Sales of All[^;]*?(?=\n\))/.exec(sql)?.[0] ?? ''
  const { sql } = compileFor({ select, where: [{ field: 'Day', op: '<', value: '2025-04-01' }] }, model)
  t.match(ofAll(sql), /"day" IS NOT NULL/)
  t.notMatch(ofAll(compileFor({ select }, model).sql), /WHERE/)
})
