/** A first model of tables as a catalogue describes them, without a look at their rows. */
import type { IntrospectedTable } from '@grainline/core/vendor'
import t from 'tap'
import { noProbe } from '../../core/src/cli/first-model/database-probe.js'
import { firstModel } from '../../core/src/cli/first-model/first-model.js'
import { parseModelSync } from '../../core/src/model/load-model.js'

interface Columns {
  readonly schema?: string
  readonly name: string
  /** The types of the columns, by name. */
  readonly columns: Readonly<Record<string, string>>
  readonly keys?: Partial<Pick<IntrospectedTable, 'primaryKey' | 'foreignKeys'>>
  readonly texts?: readonly string[]
  readonly binary?: readonly string[]
}

async function modelOf(...tables: readonly Columns[]) {
  const described = tables.map(({ schema = 'shop', name, columns, keys, texts = [], binary = [] }) => ({
    schema,
    name,
    columns: Object.entries(columns).map(([column, sqlType]) => ({
      name: column,
      sqlType,
      nullable: true,
      isText: texts.includes(column),
      isBinary: binary.includes(column),
    })),
    primaryKey: [],
    foreignKeys: [],
    ...keys,
  }))
  const { document, notes } = await firstModel('shop', described, noProbe)
  const { model, errors } = parseModelSync({ json: document })
  t.same(errors, [])
  const objects = [...(model?.dataObjects.values() ?? [])]
  return {
    notes: notes.filter(({ text }) => !text.startsWith('guessed')).map(({ text }) => text),
    types: Object.fromEntries(objects.flatMap(({ columns }) => [...columns.values()].map(({ name, type }) => [name, type]))),
    objects: objects.map(({ name }) => name),
    joins: objects.flatMap(({ joins }) => joins).map(({ from, to }) => `${from} → ${to}`),
  }
}

t.test(
  'a number has the digits that the database declares; without any, a key is whole and another number a double',
  async (t) => {
    const price = { price: 'decimal(10,2) unsigned', any: 'numeric', many: 'decimal(65,30)', rounded: 'numeric(5,-2)' }
    const sales = { name: 'sales', columns: { sale_id: 'numeric', buyer: 'numeric', ...price } }
    const foreignKeys = [{ columns: ['buyer'], target: { name: 'people' }, targetColumns: ['nick'] }]
    const people = { name: 'people', columns: { nick: 'numeric' } }
    const { types, notes } = await modelOf({ ...sales, keys: { foreignKeys } }, people)
    const whole = { kind: 'decimal', precision: 38, scale: 0 }
    t.same(types, {
      'Sale Id': whole,
      Buyer: whole,
      Nick: whole,
      Price: { kind: 'decimal', precision: 10, scale: 2 },
      Any: { kind: 'float' },
      Many: { kind: 'float' },
      Rounded: { kind: 'float' },
    })
    t.same(notes, [
      'read as doubles, as 38 digits may not hold them: any (numeric), many (decimal(65,30)), rounded (numeric(5,-2)); for exact sums declare their digits, as in sqlType: decimal(18,2)',
    ])
  },
)

t.test('bits, times of a zone, lists and what the engine cannot write are left out; what it calls a text is one', async (t) => {
  const columns = { a: 'bit(1)', b: 'bit(8)', c: 'INTEGER[3]', d: 'time with time zone', e: 'geometry', f: 'bit(3)', g: 'money' }
  const { types, notes } = await modelOf({ name: 'odd', columns, texts: ['f', 'g'], binary: ['e'] })
  t.same(types, { A: { kind: 'boolean' }, F: { kind: 'string' }, G: { kind: 'string' } })
  t.same(notes, [
    'skipped, because a model cannot read their types: b (bit(8)), c (INTEGER[3]), d (time with time zone), e (geometry)',
  ])
})

t.test('a table of which no column can be read is left out, with the joins to it', async (t) => {
  const photos = { name: 'photos', columns: { id: 'bytea' }, keys: { primaryKey: ['id'] } }
  const foreignKeys = [{ columns: ['photo'], target: { name: 'photos' }, targetColumns: ['id'] }]
  const { objects, joins, notes } = await modelOf(photos, {
    name: 'people',
    columns: { name: 'text', photo: 'bytea' },
    keys: { foreignKeys },
  })
  t.same([objects, joins], [['People'], []])
  t.same(notes, [
    'skipped, because no column has a type that a model can read: photos',
    'skipped, because a model cannot read their types: photo (bytea)',
  ])
})

t.test('of tables of one name in several schemas, the one in the same schema is joined', async (t) => {
  const columns = { id: 'int', customer_id: 'int' }
  const of = (schema: string) => [
    { schema, name: 'customers', columns: { id: 'int' } },
    { schema, name: 'orders', columns },
  ]
  const { joins } = await modelOf(...of('north'), ...of('south'))
  t.same(joins, ['North Orders → North Customers', 'South Orders → South Customers'])
})

t.test('names without a letter suggest no join', async (t) => {
  const { joins, objects } = await modelOf(
    { name: '%', columns: { id: 'int', '!': 'int' } },
    { name: '?', columns: { '!': 'int' } },
  )
  t.same([objects, joins], [['Shop Unnamed', 'Shop Unnamed 2'], []])
})
