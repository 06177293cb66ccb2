/** The pairs of columns that are tried as a key, in order: few are tried, so that a wide fact costs few reads of it. */
import t from 'tap'
import type { IntrospectedTable } from '../../execute/introspection.js'
import { draftTables } from './draft.js'
import { guessKeys } from './guess-keys.js'
import type { ColumnFacts, Probe } from './structure.js'

const tableOf = (name: string, columns: readonly string[]): IntrospectedTable => ({
  name,
  columns: columns.map((column) => ({ name: column, sqlType: 'BIGINT', nullable: true })),
  primaryKey: [],
  foreignKeys: [],
})

const sales = [
  'sold_date_sk',
  'sold_time_sk',
  'item_sk',
  'customer_sk',
  'demo_sk',
  'store_sk',
  'promo_sk',
  'ticket_number',
  'quantity',
]
const returns = ['item_sk', 'customer_sk', 'demo_sk', 'store_sk', 'ticket_number']
const facts: ColumnFacts = { rows: 9, present: 9, distinct: 3, min: 1, max: 3 }

/** The key of the sales, and the pairs that were tried for it, where only this pair is unique. */
async function triedFor(unique: readonly string[]): Promise<{ readonly key: unknown; readonly tried: readonly string[] }> {
  const tables = draftTables([tableOf('sales', sales), tableOf('returns', returns)])
  const tried: string[] = []
  const probe: Pick<Probe, 'facts' | 'unique'> = {
    facts: async () => facts,
    unique: async (table, columns) => {
      const names = columns.map(({ name }) => name)
      if (table.table.name === 'sales') tried.push(names.join(' '))
      return { rows: 9, unique: table.table.name === 'sales' && names.join() === unique.join() }
    },
  }
  const keys = await guessKeys(tables, probe as Probe)
  const key = [...keys].find(([{ table }]) => table.name === 'sales')?.[1]
  return { key: key?.columns.map(({ name }) => name), tried }
}

t.test('an item of a numbered ticket is tried first', async (t) => {
  const { key, tried } = await triedFor(['item_sk', 'ticket_number'])
  t.same(key, ['item_sk', 'ticket_number'])
  t.same(tried, ['item_sk ticket_number'])
})

t.test('ten pairs are tried at most', async (t) => {
  const { key, tried } = await triedFor(['sold_date_sk', 'sold_time_sk'])
  t.equal(key, undefined)
  t.equal(tried.length, 10)
})
