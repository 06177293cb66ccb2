/** A rule of statements that changes the columns, the order, the limit or the tables of an answer is a fault. */
import t from 'tap'
import { INT, STRING } from '../../model/data-type.js'
import { relationColumn } from '../../resolve/relation-column.js'
import { type From, type Select, type SelectItem, type Statement, select } from '../statement.js'
import { statementFault } from './statement-fault.js'

const table = (name: string): From => ({
  kind: 'table',
  source: { kind: 'table', database: undefined, schema: undefined, name },
  alias: name,
})
const column = (alias: string, type = INT): SelectItem => ({ alias, type, expression: relationColumn('orders', alias, type) })
const of = (from: From, more: Partial<Select> = {}, items: readonly SelectItem[] = [column('n')]): Statement => ({
  kind: 'statement',
  ctes: [],
  body: select(items, from, more),
})
const key = relationColumn('orders', 'n', INT)
const order = { expression: key, type: INT, descending: false, nullsFirst: false }
const joined: From = { kind: 'join', type: 'inner', left: table('orders'), right: table('customers'), on: undefined }
const customers = select([column('id')], table('customers'))
const before = of(joined, { orderBy: [order], limit: 5 })
const rule = { name: 'daring' }

for (const [title, after, fault] of [
  ['the same statement', before, undefined],
  ['a join as a condition', of(table('orders'), { orderBy: [order], limit: 5, among: [{ key, query: customers }] }), undefined],
  [
    'a join as a search',
    of(table('orders'), { orderBy: [order], limit: 5, found: [{ negated: false, query: customers }] }),
    undefined,
  ],
  ['a subquery', of({ kind: 'subquery', alias: 's', query: select([], joined) }, { orderBy: [order], limit: 5 }), undefined],
  [
    'a condition within a join',
    of({ ...joined, right: { kind: 'nothing' }, among: [{ key, query: customers }] } as From, { orderBy: [order], limit: 5 }),
    undefined,
  ],
  ['a column less', of(joined, { orderBy: [order], limit: 5 }, []), /columns of the answer/],
  ['another name', of(joined, { orderBy: [order], limit: 5 }, [column('m')]), /columns of the answer/],
  ['another type', of(joined, { orderBy: [order], limit: 5 }, [column('n', STRING)]), /columns of the answer/],
  ['no order', of(joined, { limit: 5 }), /order or the limit/],
  ['the opposite order', of(joined, { orderBy: [{ ...order, descending: true }], limit: 5 }), /order or the limit/],
  ['another place of NULLs', of(joined, { orderBy: [{ ...order, nullsFirst: true }], limit: 5 }), /order or the limit/],
  ['no limit', of(joined, { orderBy: [order] }), /order or the limit/],
  ['other first rows', of(joined, { orderBy: [order], limit: 5, offset: 1 }), /order or the limit/],
  ['a table less', of(table('orders'), { orderBy: [order], limit: 5 }), /tables that are read/],
  ['a table more', of({ ...joined, left: joined, right: table('regions') } as From, { orderBy: [order], limit: 5 }), /tables/],
] as const)
  t.test(title, async (t) => {
    const found = statementFault(rule, before, after)
    if (fault) t.match(found, fault)
    else t.equal(found, undefined)
  })

t.test('tables of a WITH clause and of the parts of a union are read', async (t) => {
  const query = { kind: 'union-all', parts: [select([], table('orders')), select([], table('customers'))] } as const
  const after = {
    ...of({ kind: 'cte', name: 'all', alias: 'all' }, { orderBy: [order], limit: 5 }),
    ctes: [{ name: 'all', query }],
  }
  t.equal(statementFault(rule, before, after), undefined)
  t.match(statementFault(rule, after, of(table('orders'), { orderBy: [order], limit: 5 })), /tables that are read/)
})
