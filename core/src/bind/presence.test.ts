/** The column that shows whether a row of a join matches. */
import t from 'tap'
import { shop, shopWith } from '../../../test/support/models.js'
import type { Term } from '../model/join-term.js'
import { presenceIn } from './presence.js'

const end = (at: string, isOpen: boolean) => ({ at, isIncluded: true, isOpen })
const during = (isOpen: boolean): Term<string> => ({
  kind: 'within',
  interval: 'to',
  value: 'Day',
  start: end('Since', isOpen),
  end: end('Until', true),
})

t.test('a column that equals one of the other side is never NULL in a match', async (t) => {
  t.equal(presenceIn([{ kind: 'equal', from: 'Customer Id', to: 'Region Id' }], 'Customers', shop), 'Region Id')
})

t.test('a bound that must be there shows the match, and otherwise the key does', async (t) => {
  t.equal(presenceIn([during(false)], 'Customers', shop), 'Since')
  t.equal(presenceIn([during(true)], 'Customers', shop), 'Id')
})

t.test('an object without a key and without such a column shows nothing', async (t) => {
  const keyless = shopWith({ dataObjects: { Returns: { columns: { Id: { primaryKey: false } } } } })
  t.throws(() => presenceIn([during(true)], 'Returns', keyless), {
    code: 'KEY_REQUIRED',
    message: /whether a row of 'Returns' matches: declare a primaryKey of 'Returns'/,
  })
})
