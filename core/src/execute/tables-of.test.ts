import t from 'tap'
import { recordsOf, tablesOf } from './tables-of.js'

const column = (table: string, name: string, more: object = {}) => ({
  schema: 'shop',
  table,
  comment: '',
  column: name,
  sqlType: 'int',
  nullable: false,
  note: '',
  ...more,
})

const key = (table: string, constraint: string, name: string, target?: readonly [table: string, column: string]) => {
  const [targetTable = '', targetColumn = ''] = target ?? []
  const primary = target === undefined
  return {
    schema: 'shop',
    table,
    constraint,
    primary,
    column: name,
    targetSchema: primary ? '' : 'shop',
    targetTable,
    targetColumn,
  }
}

t.test('cells have names, and NULL is an empty text', async (t) => {
  t.same(recordsOf([['a', null], ['b']], ['name', 'comment']), [
    { name: 'a', comment: '' },
    { name: 'b', comment: '' },
  ])
})

t.test('rows of columns that are not adjacent belong to one table; tables of one name in two schemas are two', async (t) => {
  const columns = [column('a', 'x'), column('b', 'y'), column('a', 'z'), column('a', 'x', { schema: 'other' })]
  t.same(
    tablesOf(columns).map(({ schema, name, columns }) => [schema, name, ...columns.map(({ name }) => name)]),
    [
      ['shop', 'a', 'x', 'z'],
      ['shop', 'b', 'y'],
      ['other', 'a', 'x'],
    ],
  )
})

t.test('an empty comment, a missing database and a missing type are omitted', async (t) => {
  const plain = {
    schema: 'shop',
    name: 'a',
    columns: [{ name: 'x', sqlType: 'int', nullable: false }],
    primaryKey: [],
    foreignKeys: [],
  }
  t.same(tablesOf([column('a', 'x')]), [plain])
  t.same(tablesOf([column('a', 'x', { database: 'd', comment: 'Of a', note: 'Of x', isText: true })]), [
    {
      ...plain,
      database: 'd',
      comment: 'Of a',
      columns: [{ name: 'x', sqlType: 'int', nullable: false, isText: true, comment: 'Of x' }],
    },
  ])
})

t.test('the columns of a key keep their order, and keys of one name on two tables are two', async (t) => {
  const keys = [
    key('a', 'pk', 'y'),
    key('a', 'pk', 'x'),
    key('a', 'fk', 'x', ['b', 'one']),
    key('a', 'fk', 'y', ['b', 'two']),
    key('a', 'other', 'x', ['c', 'id']),
    key('b', 'fk', 'one', ['c', 'id']),
  ]
  const [a, b] = tablesOf([column('a', 'x'), column('a', 'y'), column('b', 'one')], keys)
  t.same(a?.primaryKey, ['y', 'x'])
  t.same(a?.foreignKeys, [
    { columns: ['x', 'y'], target: { schema: 'shop', name: 'b' }, targetColumns: ['one', 'two'] },
    { columns: ['x'], target: { schema: 'shop', name: 'c' }, targetColumns: ['id'] },
  ])
  const enforced = keys.map((each, i) => ({ ...each, enforced: i !== 3 }))
  t.same(
    tablesOf([column('a', 'x'), column('a', 'y')], enforced)[0]?.foreignKeys.map((found) => found.enforced),
    [undefined, true],
    'a key is enforced if each of its columns is',
  )
  t.same(b?.primaryKey, [])
  t.same(b?.foreignKeys, [{ columns: ['one'], target: { schema: 'shop', name: 'c' }, targetColumns: ['id'] }])
})
