import { StatementType } from '@duckdb/node-api'
import fc from 'fast-check'
import t from 'tap'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import { postgres } from '../../plugins/dialect-postgres/src/index.js'
import { amount } from '../support/amount.js'
import { compileFor, loadText, refusalOf } from '../support/compile.js'
import { database, statementsIn } from './database.js'

/** Names that would end their quotes if SQL contained them unescaped. */
const HOSTILE = [
  `it's`,
  `"quoted"`,
  `a"; DROP TABLE victims; --`,
  `a'; DROP TABLE victims; --`,
  `/* comment`,
  `*/ -- end`,
  `back\\slash`,
  `back\\'slash`,
  `line\nbreak`,
  `tab\tand\r\nreturn`,
  `50% _off_`,
  `ünïcödé ß 日本語 🙂`,
  `\u202eright to left`,
  `$1 :name ? {brace} $$body$$`,
  `select`,
  ` leading and trailing `,
  `E'\\047'`,
  `U&"d\\0061"`,
] as const

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const text = (value: string): string => `'${value.replaceAll("'", "''")}'`

const db = await database('CREATE TABLE victims (id INT)')

/** A model in which every name and every stored text is the hostile text. */
function hostileModel(name: string): SemanticModel {
  const field = (suffix: string) => `${name}${suffix}`
  return loadText(
    JSON.stringify({
      version: 1,
      dataObjects: {
        [field(' rows')]: {
          code: `${name} t`,
          columns: {
            [field(' key')]: { code: `${name} k`, abstractType: 'int', primaryKey: true },
            [field(' text')]: { code: `${name} v`, abstractType: 'string' },
            [field(' other')]: { code: `${name} o`, abstractType: 'int' },
          },
          joins: [
            {
              joinType: 'many-to-one',
              joinTo: field(' far'),
              columnsFrom: [field(' other')],
              columnsTo: [field(' id')],
              pathName: field(' way'),
            },
            {
              joinType: 'many-to-one',
              joinTo: field(' far'),
              columnsFrom: [field(' key')],
              columnsTo: [field(' id')],
              pathName: field(' detour'),
              secondary: true,
            },
          ],
        },
        [field(' far')]: {
          code: `${name} f`,
          columns: {
            [field(' id')]: { code: `${name} i`, abstractType: 'int', primaryKey: true },
            [field(' label')]: { code: `${name} l`, abstractType: 'string' },
          },
        },
      },
      dimensions: {
        [field(' dim')]: { dataObject: field(' rows'), column: field(' text') },
        [field(' far dim')]: { dataObject: field(' far'), column: field(' label') },
      },
      measures: {
        [field(' sum')]: { aggregation: 'sum', columns: [{ dataObject: field(' rows'), column: field(' other') }] },
        [field(' list')]: {
          aggregation: 'listagg',
          columns: [{ dataObject: field(' rows'), column: field(' text') }],
          delimiter: name,
        },
        [field(' own')]: {
          aggregation: 'count',
          columns: [{ dataObject: field(' rows'), column: field(' key') }],
          filters: [
            {
              column: { dataObject: field(' rows'), column: field(' text') },
              operator: 'equals',
              values: [{ dataType: 'string', valueString: name }],
            },
          ],
        },
      },
      metrics: { [field(' twice')]: { type: 'derived', expression: '2 * 1' } },
    }).replace('"2 * 1"', JSON.stringify(`{[${field(' sum')}]} * 2`)),
  )
}

async function createTables(name: string): Promise<void> {
  await db.connection.run(
    `CREATE OR REPLACE TABLE ${quoted(`${name} t`)} (${quoted(`${name} k`)} INT, ${quoted(`${name} v`)} VARCHAR, ${quoted(`${name} o`)} BIGINT);
     INSERT INTO ${quoted(`${name} t`)} VALUES (1, ${text(name)}, 10), (2, 'plain', 20), (3, NULL, 10);
     CREATE OR REPLACE TABLE ${quoted(`${name} f`)} (${quoted(`${name} i`)} BIGINT, ${quoted(`${name} l`)} VARCHAR);
     INSERT INTO ${quoted(`${name} f`)} VALUES (10, ${text(`${name}!`)}), (1, 'near')`,
  )
}

/** Runs one query and checks that it is a single SELECT that does not change the tables. */
async function answer(query: unknown, model: SemanticModel) {
  const { sql } = compileFor(query, model)
  const kinds = await statementsIn(db.connection, sql)
  if (kinds.length !== 1 || kinds[0] !== StatementType.SELECT) throw new Error(`not one SELECT: ${sql}`)
  return db.rows(sql)
}

const braceless = HOSTILE.filter((name) => !/[[\]{}]/.test(name))

for (const name of braceless) {
  t.test(`${JSON.stringify(name)} is an ordinary name and an ordinary value`, async (t) => {
    await createTables(name)
    const model = hostileModel(name)
    const dim = `${name} dim`
    const select = { dimensions: [dim], measures: [`${name} sum`, `${name} own`, `${name} twice`] }
    const order_by = [{ field: dim }]
    const both = [name, 'plain'].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    const line = (v: string | null) =>
      v === name ? [v, '10', '1', '20'] : v === null ? [v, '10', '0', '20'] : [v, '20', '0', '40']
    t.same(await answer({ select, order_by }, model), [...both, null].map(line))
    const one = [line(name)]
    for (const [op, value] of [
      ['eq', name],
      ['in', [name, `${name}?`]],
      ['contains', name.trim()],
      ['starts_with', name],
      ['ends_with', name],
      ['like', name.replaceAll(/[\\%_]/g, '\\$&')],
      ['length_eq', [...name].length],
    ] as const) {
      const rows = await answer({ select, where: [{ field: dim, op, value }], order_by }, model)
      t.same(op === 'length_eq' ? rows.filter((row) => row[0] === name) : rows, one, op)
    }
    t.same(
      await answer({ select: { dimensions: [`${name} far dim`], measures: [`${name} sum`] }, order_by: [{ field: 1 }] }, model),
      [
        [`${name}!`, '20'],
        [null, '20'],
      ],
    )
    const pin = { source: `${name} rows`, target: `${name} far`, path_name: `${name} detour` }
    t.same(
      await answer(
        {
          select: { dimensions: [`${name} far dim`], measures: [`${name} sum`] },
          use_path_names: [pin],
          order_by: [{ field: 1 }],
        },
        model,
      ),
      [
        ['near', '10'],
        [null, '30'],
      ],
    )
    t.same(
      await answer({ select: { fields: [`${name} rows.${name} text`] }, where: [{ field: dim, op: 'neq', value: name }] }, model),
      [['plain']],
    )
    const listed = await answer({ select: { measures: [`${name} list`] } }, model)
    t.same(listed, [[both.join(name)]])
    t.ok(compileFor({ select }, model, postgres).sql, 'and Postgres has a spelling of it')
  })
}

t.test('line breaks in texts and in the SQL of an author are unchanged at every level of indentation', async (t) => {
  const model = loadText(`
version: 1
dataObjects:
  Facts:
    code: |-
      (SELECT 1 AS id, 'a
      b' AS label UNION ALL SELECT 2, 'a b' -- the end)
    columns: { ID: { code: id, abstractType: int, primaryKey: true }, Label: { code: label, abstractType: string } }
  Parts:
    code: "(SELECT 1 AS id, 1 AS fact)"
    columns: { ID: { code: id, abstractType: int, primaryKey: true }, Fact: { code: fact, abstractType: int } }
    joins: [{ joinType: many-to-one, joinTo: Facts, columnsFrom: [Fact], columnsTo: [ID] }]
dimensions: { Label: { dataObject: Facts, column: Label } }
`)
  const select = { dimensions: ['Label'], measures: ['Facts Count', 'Parts Count'] }
  t.same(await answer({ select, where: [{ field: 'Label', op: 'eq', value: 'a\nb' }] }, model), [['a\nb', '1', '1']])
  t.same(
    await answer(
      {
        select: { dimensions: [{ coalesce: ['Label', 'Label'], as: 'two\nlines' }] },
        where: [{ field: 'Label', op: 'neq', value: 'a b' }],
      },
      model,
    ),
    [['a\nb']],
  )
})

t.test('a name that SQL cannot express is refused', async (t) => {
  const asked = { select: { dimensions: [{ coalesce: ['x dim', 'x dim'], as: 'a\u0000b' }] } }
  t.equal(refusalOf(asked, hostileModel('x')).code, 'INVALID_QUERY')
})

t.test('a time zone is a name of the time zone database; other texts are refused', async (t) => {
  const model = hostileModel('x')
  for (const timezone of [`UTC'; DROP TABLE victims; --`, `UTC' AT TIME ZONE 'UTC`, '../../etc/passwd'])
    t.equal(refusalOf({ select: { measures: ['x sum'] }, timezone }, model).code, 'INVALID_QUERY', timezone)
})

const SEED = Number(process.env.SEED ?? 20260115)
const nasty = fc.constantFrom(
  `'`,
  `"`,
  '\\',
  '%',
  '_',
  ';',
  '--',
  '/*',
  '*/',
  '\n',
  '\r',
  '\t',
  ' ',
  '$$',
  '`',
  '\u2028',
  '🙂',
  'é',
  'ﬁ',
  'İ',
  '{',
  '}',
  ':a',
)
const words = fc
  .array(fc.oneof(nasty, fc.string({ unit: 'grapheme', maxLength: 4 })), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(''))
  // SQL texts cannot contain U+0000.
  .filter((value) => !value.includes('\u0000'))

t.test(`any text is data: it is found by its whole text and by its parts only (seed ${SEED})`, async (t) => {
  await db.connection.run('CREATE OR REPLACE TABLE "x t" ("x k" INT, "x v" VARCHAR, "x o" BIGINT)')
  const model = hostileModel('x')
  const insert = await db.connection.prepare('INSERT INTO "x t" VALUES (1, $1, 1), (2, $2, 2), (3, NULL, 3)')
  const found = async (op: string, value: unknown) =>
    (
      await answer(
        { select: { fields: ['x rows.x key'] }, where: [{ field: 'x dim', op, value }], order_by: [{ field: 1 }] },
        model,
      )
    ).map(([key]) => Number(key))
  await fc.assert(
    fc.asyncProperty(words, words, async (value, other) => {
      await db.connection.run('DELETE FROM "x t"')
      insert.bindVarchar(1, value)
      insert.bindVarchar(2, other)
      await insert.run()
      const same = value === other ? [1, 2] : [1]
      const differs = value === other ? [] : [2]
      t.strictSame(await found('eq', value), same)
      t.strictSame(await found('in', [value]), same)
      t.strictSame(await found('neq', value), differs)
      t.ok((await found('contains', value)).includes(1))
      t.ok((await found('starts_with', value)).includes(1))
      t.ok((await found('ends_with', value)).includes(1))
      t.ok((await found('like', value.replaceAll(/[\\%_]/g, '\\$&'))).includes(1))
      if (!other.toLowerCase().includes(value.toLowerCase()) && isPlain(value + other))
        t.notOk((await found('contains', value)).includes(2))
    }),
    { seed: SEED, numRuns: amount(20, 60) },
  )
  t.same(await db.rows('SELECT count(*) FROM victims'), [['0']], 'and the victims are still there')
})

/** Letters whose lower case is the same in every engine. */
function isPlain(value: string): boolean {
  return [...value].every((char) => char < '\u0080')
}

t.test('half of a character is refused: no database stores it', async (t) => {
  for (const value of ['\ud800', 'a\udc00b', '\udc00\ud800']) {
    const asked = { select: { fields: ['x rows.x key'] }, where: [{ field: 'x dim', op: 'equals', value }] }
    t.equal(refusalOf(asked, hostileModel('x')).code, 'INVALID_FILTER_VALUE', JSON.stringify(value))
  }
  const whole = { select: { fields: ['x rows.x key'] }, where: [{ field: 'x dim', op: 'equals', value: '💧' }] }
  t.ok(compileFor(whole, hostileModel('x')).sql)
})
