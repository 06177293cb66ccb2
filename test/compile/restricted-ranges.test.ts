/** Filters of the model and access rules that leave a part of a compared range are named in a warning. */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { compileFor } from '../support/compile.js'

const prior = (more: object) => ({
  type: 'period_over_period',
  measure: 'Sold',
  periodOverPeriod: { timeDimension: 'Date', ...more },
})

function modelWith(filters: readonly object[], more: object = {}) {
  const { model, errors } = parseModelSync({
    json: {
      dataObjects: {
        Sales: {
          code: 'sales',
          columns: {
            On: { code: 'sold_on', abstractType: 'date' },
            Shop: { code: 'shop', abstractType: 'string' },
            N: { code: 'n', abstractType: 'int' },
          },
          joins: [{ joinType: 'many-to-one', joinTo: 'Days', columnsFrom: ['On'], columnsTo: ['Day'] }],
        },
        Days: {
          code: 'days',
          calendar: { key: 'Day', periods: { Year: 'year' } },
          columns: { Day: { code: 'day', abstractType: 'date', primaryKey: true }, Year: { code: 'y', abstractType: 'int' } },
        },
      },
      dimensions: { Date: { dataObject: 'Sales', column: 'On' }, Shop: { dataObject: 'Sales', column: 'Shop' } },
      measures: { Sold: { aggregation: 'sum', columns: [{ dataObject: 'Sales', column: 'N' }] } },
      metrics: {
        Month: prior({ offsetGrain: 'month' }),
        Year: prior({ offsetGrain: 'year' }),
        Before: prior({ offsetGrain: 'range' }),
      },
      filters,
      ...more,
    },
  })
  if (!model) throw new Error(JSON.stringify(errors))
  return model
}

const since = (day: string, column = 'On', dataObject = 'Sales') => ({ dataObject, column, operator: 'gte', value: day })
const between = (from: string, to: string) => [{ field: 'Date', op: 'between', value: [from, to] }]

function warned(
  model: ReturnType<typeof modelWith>,
  measure: string,
  where: readonly object[],
  dimensions: readonly string[] = [],
) {
  const { warnings } = compileFor({ select: { dimensions, measures: [measure] }, where }, model)
  return warnings
    .filter(({ code }) => code === 'COMPARED_RANGE_RESTRICTED')
    .map(({ message }) => message.replace(/^'.*' compares with (.*): .*$/, '$1'))
}

t.test('a filter on the time that cuts the compared range is named with the range', (t) => {
  const model = modelWith([since('2025-06-15')])
  const cut = (range: string) => [`${range}, and a filter of the model leaves a part of this range`]
  t.same(warned(model, 'Year', between('2026-05-01', '2026-07-10')), cut('2025-05-01 to 2025-07-10'))
  t.same(warned(model, 'Year', between('2026-05-01', '2026-07-10'), ['Date:month']), cut('2025-05-01 to 2025-07-10'))
  t.same(warned(model, 'Year', between('2026-06-15', '2026-07-10')), [], 'the range is within the times that are left')
  t.same(warned(model, 'Month', between('2025-07-01', '2025-07-31'), ['Date:month']), cut('2025-06-01 to 2025-06-30'))
  t.same(warned(model, 'Before', between('2025-06-20', '2025-06-29')), cut('2025-06-10 to 2025-06-19'))
  t.same(warned(model, 'Year', [{ field: 'Date', op: 'gte', value: '2026-01-01' }], ['Date:month']), [], 'a range without an end')
  t.end()
})

t.test('the day of the calendar is the same time; other columns are not; groups are read', (t) => {
  const asked = (filter: object) => warned(modelWith([filter]), 'Year', between('2026-05-01', '2026-07-10')).length
  t.equal(asked(since('2025-06-15', 'Day', 'Days')), 1)
  t.equal(asked({ dataObject: 'Sales', column: 'Shop', operator: 'equals', value: 'a' }), 0)
  t.end()
})
