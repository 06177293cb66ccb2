/** A join by a period compares values of one type, by the clocks of the join. */
import t from 'tap'
import { contextOf } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'
import { said, saidTerms } from '../../../test/support/said.js'
import { DATE, TIMESTAMP_TZ } from '../model/data-type.js'
import type { Term } from '../model/join-term.js'
import { relationColumn } from '../resolve/relation-column.js'
import type { BindContext } from './bind-context.js'
import { inPeriod, readPeriod } from './period-term.js'

const end = (at: string) => ({ at, isIncluded: true, isOpen: false })
const during: Term<string> = { kind: 'within', interval: 'to', value: 'At', start: end('Since'), end: end('Until') }
const reading = { zone: 'Asia/Tokyo', holds: 'start' } as const
const context = contextOf(shop, 'America/New_York')

/** A time on one side, and days on the other. */
const reads = (zones: string[]) => (context: BindContext) => {
  zones.push(context.time.zone)
  return {
    from: (name: string) => ({ expression: relationColumn('Sales', name, TIMESTAMP_TZ), type: TIMESTAMP_TZ }),
    to: (name: string) => ({ expression: relationColumn('Prices', name, DATE), type: DATE }),
  }
}
const told = (term: Term<string>): string => saidTerms([inPeriod(term, context, reads([]))])

t.test('an equality, or an interval without a reading, is compared as it is', async (t) => {
  const zones: string[] = []
  t.same(readPeriod({ kind: 'equal', from: 'Day', to: 'Since' }, context, reads(zones)).kind, 'equal')
  t.equal(told({ kind: 'equal', from: 'Day', to: 'Since' }), '(Sales.Day = Prices.Since)')
  t.equal(told(during), '((Sales.At >= Prices.Since) and (Sales.At <= Prices.Until))')
  t.same(zones, ['America/New_York'], 'by the clocks of the query')
})

t.test('a time in an interval of days is its day by the clocks of the join', async (t) => {
  const day = "date_trunc('day', in_zone(Sales.At, 'Asia/Tokyo'))"
  t.equal(told({ ...during, reading }), `((${day} >= Prices.Since) and (${day} <= Prices.Until))`)
  const zones: string[] = []
  const read = readPeriod({ ...during, reading }, context, reads(zones))
  t.same(zones, ['Asia/Tokyo'])
  t.equal(read.kind === 'within' && said(read.value.expression), day)
  t.same(read.kind === 'within' && read.value.type, DATE)
})
