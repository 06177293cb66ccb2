/** Which rows the window of a comparison sees where a bridge repeats rows: those of the compared period at the moved time. */
import t from 'tap'
import { compileFor } from '../../../test/support/compile.js'
import { PARCELS_AND_LABELS, shopWith } from '../../../test/support/models.js'

t.test('a comparison by less than a period finds its rows by the moved period', async (t) => {
  const model = shopWith(PARCELS_AND_LABELS, {
    metrics: {
      'Weeks Before': {
        type: 'period_over_period',
        measure: 'Order Count',
        periodOverPeriod: { timeDimension: 'Day', offset: -3, offsetGrain: 'week', comparison: 'previousValue' },
      },
      Place: { type: 'window', windowFunction: 'row_number', measure: 'Weeks Before' },
    },
  })
  const { sql } = compileFor({ select: { dimensions: ['Label', 'Day:month'], measures: ['Place', 'Customer Count'] } }, model)
  const marked = sql.split(/\n\), /).filter((part) => /AS "[^"]*\(rows\)[^"]*"/.test(part) && part.includes('GROUP BY'))
  t.ok(marked.some((part) => part.includes('INTERVAL 3 week')))
})
