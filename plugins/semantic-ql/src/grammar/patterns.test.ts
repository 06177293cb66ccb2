import t from 'tap'
import { caselessPattern, similarPattern, withBackslash } from './patterns.js'

t.test('a LIKE pattern gets a backslash as its escape, and keeps its meaning', async (t) => {
  const cases: readonly (readonly [pattern: string, escapeBy: string, wanted: string])[] = [
    ['a%b_', '', 'a%b_'],
    ['a!%b', '!', 'a\\%b'],
    ['a!_b!!', '!', 'a\\_b!'],
    // A backslash is plain text where another character escapes.
    ['a\\b', '!', 'a\\\\b'],
    ['a\\b', '', 'a\\\\b'],
    // An escape before a plain character means that character; at the end it is one itself.
    ['!a', '!', 'a'],
    ['a!', '!', 'a!'],
    ['', '!', ''],
  ]
  for (const [pattern, escapeBy, wanted] of cases)
    t.equal(withBackslash(pattern, escapeBy), wanted, `${pattern} by '${escapeBy}'`)
})

t.test('SIMILAR TO matches the whole text, as the regular expression does', async (t) => {
  const cases: readonly (readonly [pattern: string, matches: readonly string[], others: readonly string[]])[] = [
    ['a%', ['a', 'abc'], ['ba', 'A']],
    ['a_', ['ab'], ['a', 'abc']],
    ['(a|b)+', ['a', 'abba'], ['', 'abc']],
    // A dot and a dollar are letters there.
    ['a.b', ['a.b'], ['axb']],
    ['a$', ['a$'], ['a']],
    ['[a.]x', ['ax', '.x'], ['bx']],
    ['!%', ['%'], ['a', '']],
    ['[^%]', ['a'], ['%']],
  ]
  for (const [pattern, matches, others] of cases) {
    const expression = new RegExp(similarPattern(pattern, '!'), 's')
    for (const text of matches) t.ok(expression.test(text), `'${text}' is similar to ${pattern}`)
    for (const text of others) t.notOk(expression.test(text), `'${text}' is not similar to ${pattern}`)
  }
})

t.test('a case-insensitive pattern remains one for engines that always ignore case', async (t) => {
  const cases: readonly (readonly [pattern: string, matches: readonly string[], others: readonly string[]])[] = [
    ['^ab$', ['ab', 'AB', 'aB'], ['abc']],
    ['^[a-c]x$', ['aX', 'Cx'], ['dx']],
    ['^[xy]$', ['X', 'y'], ['z']],
    // A class by its letter, and the letters that begin a group, are no texts.
    ['^\\d\\w$', ['1a', '1A'], ['dw', 'a1']],
    ['^(?:ab)+$', ['abAB'], ['a']],
    ['^straße$', ['Straße', 'STRAßE'], ['STRASSE']],
  ]
  for (const [pattern, matches, others] of cases) {
    const expression = new RegExp(caselessPattern(pattern))
    for (const text of matches) t.ok(expression.test(text), `'${text}' matches ${pattern}`)
    for (const text of others) t.notOk(expression.test(text), `'${text}' does not match ${pattern}`)
  }
})
