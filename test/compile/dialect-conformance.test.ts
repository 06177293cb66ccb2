/** What the conformance suite of dialects accepts and refuses: correct dialects with another spelling, and wrong ones. */
import { ansi, type Dialect, defineDialect } from '@grainline/core/dialect'
import { type DialectExpectations, dialectConformance, standard, TRICKY_NAMES, TRICKY_TEXTS } from '@grainline/core/testing'
import t from 'tap'

const same = (names: readonly string[], write: (name: string) => string) =>
  Object.fromEntries(names.map((name) => [name, write(name)])) as never

/** The names of the tests of the suite that fail, of all or of one. */
async function failures(dialect: Dialect, more: Partial<DialectExpectations> = {}, only = /./): Promise<Record<string, string>> {
  const { literals, quote } = dialect
  const tests: [name: string, body: () => Promise<void>][] = []
  dialectConformance({ test: (name, body) => tests.push([name, body]) }, dialect, {
    quoted: same(TRICKY_NAMES, quote),
    strings: same(TRICKY_TEXTS, literals.string),
    literals: {
      true: literals.boolean(true),
      false: literals.boolean(false),
      date: literals.date('2024-02-29'),
      time: literals.time('23:59:58'),
      timestamp: literals.timestamp('2024-02-29 23:59:58.5'),
      timestamp_tz: literals.timestamp_tz('2024-02-29 23:59:58.5'),
    },
    ...more,
  })
  const failed: Record<string, string> = {}
  for (const [name, body] of tests.filter(([name]) => only.test(name)))
    await body().catch((error: Error) => {
      failed[name.replace(/^.*?: /, '')] = error.message
    })
  return failed
}

const withDecimals = (decimal: Dialect['literals']['decimal']): Dialect =>
  defineDialect(standard, { name: 'acme', literals: { decimal } })

t.test('a decimal literal may be plain, typed or cast, and keeps its digits and its sign', async (t) => {
  for (const write of [
    (digits: string) => digits,
    (digits: string) => `NUMERIC '${digits}'`,
    (digits: string) => `DECIMAL(10, 2) '${digits}'`,
    (digits: string) => `CAST('${digits}' AS DECIMAL(10, 2))`,
    (digits: string) => `CAST(${digits} AS DECIMAL(10, 2))`,
  ])
    t.same(await failures(withDecimals(write), {}, /number literals/), {}, write('-1.50'))
  t.same(await failures(withDecimals(String)), {}, 'and nothing else depends on it')
  for (const write of [
    (digits: string) => digits.replace('-', ''),
    (digits: string) => digits.split('.')[0]!,
    (digits: string) => `CAST('1${digits}' AS DECIMAL(10, 2))`,
  ]) {
    const failed = await failures(withDecimals(write), {}, /number literals/)
    t.match(failed, {
      'number literals keep their digits and their sign': /^a literal with the digits -?[\d.]+ after the > of SELECT/,
    })
    t.same(Object.keys(failed).length, 1)
  }
})

t.test('a dialect that writes a date argument twice is reported, unless it declares that', async (t) => {
  const week = (x: string): string => `(${x} - (DAYOFWEEK(${x}) - 1))`
  const doubling = defineDialect(standard, {
    name: 'acme',
    truncate: (grain, value, type, weekStart) =>
      grain === 'week' && weekStart === 'monday' ? week(value) : ansi.truncate(grain, value, type, weekStart),
  })
  const failed = await failures(doubling)
  t.same(Object.keys(failed), ['nested periods of a calendar do not grow exponentially'])
  t.match(
    Object.values(failed)[0],
    /^\d+ characters, more than 20000: .*inside of it\. Times the value is written: week 2; .* state 'longest'$/,
  )
  t.same(await failures(doubling, { longest: 100_000 }), {})
})
