import t from 'tap'
import { functionsOn } from '../suites.js'
import { openEngine } from './engine.js'

// LOWER and UPPER of SQLite know the letters of ASCII alone: https://www.sqlite.org/lang_corefunc.html#lower
const ASCII = 'letters beyond ASCII stay as they are, which is asserted below'
await functionsOn(t, openEngine, { 'upper({a}) of string': ASCII, 'lower({a}) of string': ASCII })

t.test('LOWER and UPPER change the letters of ASCII and leave all others', async (t) => {
  const { ask, close } = await openEngine()
  t.teardown(close)
  const columns = ['up', 'down'].map((name) => ({ name, type: { kind: 'string' }, role: 'field' }) as const)
  const { rows } = await ask(`SELECT UPPER('abc é') AS "up", LOWER('ABC É') AS "down"`, columns)
  t.same(rows, [['ABC é', 'abc É']])
})
