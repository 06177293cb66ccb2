import t from 'tap'
import { aggregateOf, ownMeasuresOf, queryOf, ratioOf, withOwnMeasure, withoutUnread } from './own-measures.js'
import { toggle } from './query.js'

const LARGEST = aggregateOf('max', 'Flights', 'Delay')

t.test('a measure that is written where it is selected stands in measures', async (t) => {
  t.strictSame(queryOf({ select: { measures: ['Flights', LARGEST] }, limit: 3 }), {
    select: { measures: ['Flights', 'Largest of Delay'] },
    limit: 3,
    measures: [LARGEST],
  })
  const declared = { select: { measures: ['A', LARGEST] }, measures: [{ as: 'A', expression: '{[Flights]} * 2' }] }
  t.strictSame(ownMeasuresOf(queryOf(declared)!), [declared.measures[0], LARGEST])
  t.equal(queryOf({ select: { measures: [{ aggregation: 'max' }] } }), undefined)
  t.equal(queryOf('select'), undefined)
  const plain = { select: { measures: ['Flights'] } }
  t.equal(queryOf(plain), plain)
})

t.test('a measure is added and selected once, and goes when nothing names it', async (t) => {
  const asked = withOwnMeasure({ select: { measures: ['Flights'] } }, LARGEST)
  t.strictSame(asked, { select: { measures: ['Flights', 'Largest of Delay'] }, measures: [LARGEST] }, 'added')
  const again = withOwnMeasure(asked, { ...LARGEST, format: '0' })
  t.strictSame(again['measures'], [{ ...LARGEST, format: '0' }])
  t.strictSame(again.select.measures, asked.select.measures)
  const ratio = withOwnMeasure(asked, ratioOf('Largest of Delay', 'Flights'))
  const without = withoutUnread(toggle(ratio, 'measure', 'Largest of Delay'))
  t.strictSame(ownMeasuresOf(without).length, 2, 'the ratio reads it')
  const none = withoutUnread(toggle(without, 'measure', 'Largest of Delay per Flights'))
  t.strictSame(none, { select: { measures: ['Flights'] } })
  t.strictSame(ownMeasuresOf(withoutUnread({ ...asked, select: { measures: [] }, order_by: [{ field: LARGEST.as }] })), [LARGEST])
  const plain = { select: { measures: ['Flights'] } }
  t.equal(withoutUnread(plain), plain)
})
