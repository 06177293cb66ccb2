/** Columns whose stored type differs from the declared one: what is converted, and what reads the column directly. */
import t from 'tap'
import { item, statement, table, textOf } from '../../../test/support/statements.js'
import { DATE, type DataType, INT, STRING, TIMESTAMP } from '../model/data-type.js'
import { builtInFunctions } from '../model/functions/catalogue.js'
import { parsePhysicalType } from '../model/physical-type.js'
import { binary, integer, isNull, literal, text } from '../resolve/expressions.js'
import type { RelationColumn } from '../resolve/relation-column.js'
import { convertStored } from './convert-stored.js'
import { aggregate, type SqlExpr, select } from './statement.js'

const stored = (name: string, type: DataType, physical: string): RelationColumn => ({
  kind: 'column',
  table: 't',
  name,
  type,
  stored: { name: `T.${name}`, declared: type, physical: parsePhysicalType(physical), collation: undefined },
})
const small = stored('small', INT, 'smallint')
const uuid = stored('uuid', STRING, 'uuid')
const incomparable: RelationColumn = {
  ...uuid,
  stored: {
    name: 'T.uuid',
    declared: STRING,
    physical: { kind: 'uuid', name: 'uuid', comparesNoText: true },
    collation: undefined,
  },
}
const day = stored('day', DATE, 'timestamp')
const moment = stored('moment', DATE, 'timestamptz')
const inTokyo: RelationColumn = { ...moment, ...(moment.stored && { stored: { ...moment.stored, daysIn: 'Asia/Tokyo' } }) }
const naive = stored('naive', TIMESTAMP, 'timestamptz')
const date = (value: string): SqlExpr => literal(value, DATE)
const id = '0e37df36-f698-11e6-8dd4-cb9ced3df976'

const converted = (condition: SqlExpr): { readonly text: string; readonly columns: readonly string[] } => {
  const made = select([item('x', integer(1), INT)], table('t'), { where: [condition] })
  const { statement: after, columns } = convertStored(statement(made), { zone: 'Europe/Berlin', naive: 'UTC' }, builtInFunctions)
  return { text: textOf(after).replace(/^.* WHERE /, ''), columns: columns.map((c) => c.name) }
}

for (const [title, condition, expected] of [
  ['a number compares as it is stored', binary('<', small, integer(5)), 't.small < 5'],
  [
    'a sum of narrow numbers is as wide as they are declared',
    binary('=', binary('+', small, small), integer(5)),
    'CAST(t.small AS BIGINT) + t.small = 5',
  ],
  [
    'a well-formed value is looked for among the values as they are stored',
    binary('=', uuid, text(id)),
    "t.uuid = '0e37df36-f698-11e6-8dd4-cb9ced3df976'",
  ],
  [
    'what is no such value is compared with the converted column',
    binary('=', uuid, text('none')),
    "CAST(t.uuid AS VARCHAR) = 'none'",
  ],
  [
    'unless the engine compares such values with no text',
    binary('=', incomparable, text(id)),
    "CAST(t.uuid AS VARCHAR) = '0e37df36-f698-11e6-8dd4-cb9ced3df976'",
  ],
  [
    'texts have an order that the stored values have not',
    binary('<', uuid, text(id)),
    "CAST(t.uuid AS VARCHAR) < '0e37df36-f698-11e6-8dd4-cb9ced3df976'",
  ],
  [
    'a day of timestamps is a range of the column',
    binary('=', day, date('2025-03-01')),
    "t.day >= TIMESTAMP '2025-03-01 00:00:00' AND t.day < TIMESTAMP '2025-03-02 00:00:00'",
  ],
  [
    'a day of instants is a wider range beside the exact condition',
    binary('<', moment, date('2025-03-01')),
    "t.moment < (TIMESTAMP '2025-03-02 00:00:00' AT TIME ZONE 'UTC') AND CAST((t.moment AT TIME ZONE 'Europe/Berlin') AS DATE) < DATE '2025-03-01'",
  ],
  [
    'the days of a key or of an access rule are those of its zone',
    binary('<', inTokyo, date('2025-03-01')),
    "t.moment < (TIMESTAMP '2025-03-02 00:00:00' AT TIME ZONE 'UTC') AND CAST((t.moment AT TIME ZONE 'Asia/Tokyo') AS DATE) < DATE '2025-03-01'",
  ],
  [
    'an instant shows the clock of the zone that is declared',
    binary('=', naive, stored('other', TIMESTAMP, 'date')),
    "(t.naive AT TIME ZONE 'UTC') = CAST(t.other AS TIMESTAMP)",
  ],
  ['NULL is NULL however it is stored', isNull(uuid), 't.uuid IS NULL'],
  ['a literal may stand on the left', binary('>', integer(5), small), 't.small < 5'],
] as const satisfies readonly (readonly [string, SqlExpr, string])[])
  t.test(title, (t) => {
    t.equal(converted(condition).text, expected)
    t.end()
  })

t.test('the converted columns are listed, each once', (t) => {
  const twice = binary('and', binary('<', small, integer(5)), binary('=', small, integer(3)))
  t.same(converted(twice).columns, ['T.small'])
  t.same(converted(binary('=', integer(1), integer(1))).columns, [])
  t.end()
})

t.test('rows are counted without a conversion, and distinct values with one', (t) => {
  const count = { ...aggregate('count', [uuid], INT), distinct: false }
  const body = select([item('a', count, INT), item('b', { ...count, distinct: true }, INT)], table('t'))
  const { statement: after } = convertStored(statement(body), { zone: 'UTC', naive: 'UTC' }, builtInFunctions)
  t.equal(textOf(after), 'SELECT COUNT(t.uuid) AS a, COUNT(DISTINCT CAST(t.uuid AS VARCHAR)) AS b FROM t')
  t.end()
})
