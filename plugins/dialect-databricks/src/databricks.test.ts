import t from 'tap'
import { databricks } from './index.js'

t.test('no text and no name starts a session variable', async (t) => {
  const variable = `\${env:HOME}`
  t.equal(databricks.literals.string(`pay ${variable} $5`), "'pay \\u0024{env:HOME} $5'")
  t.throws(() => databricks.quote(variable), { code: 'UNSUPPORTED_SQL_FEATURE' })
  t.equal(`a${variable}$`.replaceAll(databricks.forbiddenIdentifierChars!, '_'), 'a_{env:HOME}$')
})

t.test('a backslash in a pattern escapes the next character, or is removed', async (t) => {
  const like = (literal: string, folded = false) =>
    databricks.like({ value: 'x', pattern: databricks.literals.string(literal), literal, folded, negated: false })
  t.equal(like('100\\%'), "x LIKE '100\\\\%'")
  t.equal(like('a\\b\\_\\\\'), "x LIKE 'ab\\\\_\\\\\\\\'")
  t.equal(like('a\\b', true), "x LIKE 'ab'")
})

t.test('a number of digits that is not a literal is refused by name', async (t) => {
  t.throws(() => databricks.functions['round']!(['x', 'y'], [{ kind: 'float' }, { kind: 'int' }]), {
    code: 'UNSUPPORTED_FUNCTION',
  })
})
