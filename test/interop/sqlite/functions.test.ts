import t from 'tap'
import { functionsOn } from '../suites.js'
import { openEngine } from './engine.js'

// LOWER and UPPER of SQLite change only ASCII letters: https://www.sqlite.org/lang_corefunc.html#lower
const ASCII = 'letters beyond ASCII stay as they are, which is asserted below'
await functionsOn(t, openEngine, { 'upper({a}) of string': ASCII, 'lower({a}) of string': ASCII })

t.test('LOWER and UPPER change only ASCII letters', async (t) => {
  const { ask, close } = await openEngine()
  t.teardown(close)
  const columns = ['up', 'down'].map((name) => ({ name, type: { kind: 'string' }, role: 'field' }) as const)
  const { rows } = await ask(`SELECT UPPER('abc é') AS "up", LOWER('ABC É') AS "down"`, columns)
  t.same(rows, [['ABC é', 'abc É']])
})

t.test(
  'a pattern in a column is case-sensitive, treats GLOB characters as text, and supports the escape character',
  async (t) => {
    const { dialect, load, ask, close } = await openEngine()
    t.teardown(close)
    const rows: readonly (readonly [value: string, pattern: string, fits: boolean])[] = [
      ['Lamp', 'L%p', true],
      ['lamp', 'L%p', false],
      ['50%', '50\\%', true],
      ['500', '50\\%', false],
      ['a_b', 'a\\_b', true],
      ['axb', 'a\\_b', false],
      ['back\\slash', 'back\\\\%', true],
      ['[x]*?', '[_]*?', true],
      ['x', '[x]', false],
    ]
    const values = rows.map((row, i) => `(${[String(i), ...row.slice(0, 2).map((text) => `'${text}'`)].join(', ')})`)
    await load(
      `CREATE TABLE patterns (id BIGINT, a VARCHAR(40), b VARCHAR(40)); INSERT INTO patterns VALUES ${values.join(', ')}`,
    )
    const like = (literal: string | undefined, pattern: string) =>
      dialect.like({ value: 'a', pattern, literal, folded: false, negated: false })
    const columns = [{ name: 'fits', type: { kind: 'boolean' }, role: 'field' }] as const
    const dynamic = await ask(`SELECT ${like(undefined, 'b')} AS "fits" FROM patterns ORDER BY id`, columns)
    t.same(
      dynamic.rows.flat(),
      rows.map((row) => row[2]),
    )
    for (const [i, [, pattern, fits]] of rows.entries()) {
      const { rows: found } = await ask(`SELECT ${like(pattern, '?')} AS "fits" FROM patterns WHERE id = ${i}`, columns)
      t.same(found, [[fits]], pattern)
    }
  },
)
