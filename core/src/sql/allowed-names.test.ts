/** Names with characters that an engine refuses. */
import t from 'tap'
import { item, plain, statement, T, table, textOf } from '../../../test/support/statements.js'
import { INT } from '../model/data-type.js'
import type { Dialect } from './dialect.js'
import { select } from './statement.js'

const dialect: Dialect = { ...plain, forbiddenIdentifierChars: /[()]/g }
const said = (...aliases: readonly string[]): string =>
  textOf(
    statement(
      select(
        aliases.map((alias) => item(alias, T.n, INT)),
        table('t'),
      ),
    ),
    dialect,
  )

t.test('a refused character is written as _', async (t) => {
  t.equal(said('Freight (before)', 'Freight'), 'SELECT t.n AS Freight _before_, t.n AS Freight FROM t')
})

t.test('names that would be written alike, in any case, stay different', async (t) => {
  t.match(said('a(', 'a)'), /^SELECT t\.n AS a__[0-9a-f]{8}, t\.n AS a__[0-9a-f]{8} FROM t$/)
  t.match(said('a(', 'A_'), /^SELECT t\.n AS a__[0-9a-f]{8}, t\.n AS A_ FROM t$/)
})

t.test('a name that is too long is shortened, and made unique', async (t) => {
  t.match(said(`(${'x'.repeat(300)}`), / AS _x+_[0-9a-f]{8} FROM t$/)
})
