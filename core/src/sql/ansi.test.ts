import t from 'tap'
import { DATE, FLOAT, INT, TIMESTAMP } from '../model/data-type.js'
import { ansi, count, divisor, inDouble, timeUnit, unitKeyword } from './ansi.js'
import { defineDialect } from './dialect.js'
import type { Semantics } from './semantics.js'
import { standard } from './standard.js'

t.test('a unit is a time unit in quotes, in any case', async (t) => {
  t.equal(timeUnit("'week'"), 'week')
  t.equal(timeUnit("'WEEK'"), 'week')
  t.equal(unitKeyword("'week'"), 'WEEK')
  for (const text of ['week', "'weeks'", "''", "'week' "]) t.throws(() => timeUnit(text), { code: 'UNKNOWN_TIME_UNIT' }, text)
})

t.test('only a divisor that cannot be 0 is used directly', async (t) => {
  for (const written of ['1', '12', '1.50']) t.equal(divisor(written), written)
  for (const other of ['0', '0.5', '-1', 'x', '1 + 1', '1e3', '00']) t.equal(divisor(other), `NULLIF(${other}, 0)`)
  t.equal(
    divisor('x', (each) => `CAST(${each} AS DOUBLE)`),
    'NULLIF(CAST(x AS DOUBLE), 0)',
  )
})

t.test('a number of characters is an integer of 32 bits', async (t) => {
  t.same([count('3'), count('-3'), count('n'), count('3.0')], ['3', '-3', 'CAST(n AS INTEGER)', 'CAST(3.0 AS INTEGER)'])
})

t.test('a value that is not a double is cast, and a double is unchanged', async (t) => {
  const power = inDouble('DOUBLE', ansi.functions.power)
  t.match(power(['a', 'b'], [INT, FLOAT]), /POWER\(CAST\(a AS DOUBLE\), b\)/)
})

t.test('a date is shifted as a date by days and longer units, and as a timestamp by shorter ones', async (t) => {
  t.equal(ansi.dateAdd('quarter', '2', 'd', DATE), "CAST(d + INTERVAL '6' MONTH AS DATE)")
  t.equal(ansi.dateAdd('week', 'n', 'd', DATE), "CAST(d + n * 7 * INTERVAL '1' DAY AS DATE)")
  t.equal(ansi.dateAdd('hour', '2', 'd', DATE), "(d + INTERVAL '2' HOUR)")
  t.equal(ansi.dateAdd('day', '2', 't', TIMESTAMP), "(t + INTERVAL '2' DAY)")
})

t.test('weeks that begin on Sunday are weeks that begin on Monday, shifted by a day in both directions', async (t) => {
  t.equal(ansi.truncate('week', 't', TIMESTAMP, 'monday'), "CAST(DATE_TRUNC('week', t) AS DATE)")
  t.equal(
    ansi.truncate('week', 't', TIMESTAMP, 'sunday'),
    "CAST(DATE_TRUNC('week', t + INTERVAL '1' DAY) - INTERVAL '1' DAY AS DATE)",
  )
  t.equal(ansi.truncate('day', 'd', DATE, 'sunday'), 'd')
})

t.test('a dialect declares its differences, one entry of a table at a time', async (t) => {
  const own = defineDialect(standard, {
    name: 'own',
    type: () => 'THING',
    functions: { mod: null },
    semantics: { exactText: false },
  })
  t.equal(own.functions.mod, null)
  t.equal(own.functions.sqrt, ansi.functions.sqrt)
  t.same([own.semantics.exactText, own.semantics.nullsOrder], [false, true])
  // Inherited functions use the spellings of the inheriting dialect.
  t.equal(own.cast('x', INT, FLOAT), 'CAST(x AS THING)')
  t.ok(Object.isFrozen(own))
})

t.test('a dialect without a relative states what its engine does, key by key', async (t) => {
  const { exactText: _, wideSums: __, ...semantics } = standard.semantics
  t.throws(() => defineDialect(ansi, { name: 'own', semantics: semantics as Semantics }), {
    code: 'INCOMPLETE_DIALECT',
    message: /'own' does not state semantics\.exactText, semantics\.wideSums/,
  })
  const stated = { ...semantics, exactText: false, wideSums: true }
  t.same(defineDialect(ansi, { name: 'own', semantics: stated }).semantics, stated, 'the advice, applied')
})
