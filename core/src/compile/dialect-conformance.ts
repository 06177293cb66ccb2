/**
 * What every dialect must do, as a function that the dialect's own test calls with itself:
 *
 *     import t from 'tap'
 *     dialectConformance(t, myDialect, { quoted: { … }, strings: { … }, literals: { … } })
 *
 * It looks at the text alone and needs no engine. Bytes that only the engine's manual knows are stated by the dialect's test; that
 * every function is spelled or refused by name, and that a small corpus compiles, is the same for all.
 */
import { strict as assert } from 'node:assert'
import { compile } from '../compile.js'
import { type ErrorCode, GrainlineError } from '../errors.js'
import { type DataType, decimal } from '../model/data-type.js'
import { builtInAggregates } from '../model/functions/aggregates.js'
import { builtInFunctions } from '../model/functions/catalogue.js'
import { TIME_GRAINS } from '../model/grain.js'
import { parseModelSync } from '../model/load-model.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { parseQuery } from '../query/parse-query.js'
import { ansi } from '../sql/ansi.js'
import type { Dialect } from '../sql/dialect.js'
import { AGGREGATE_MEASURES, CALENDAR_QUESTION, FUNCTION_CALLS, QUESTIONS, sampleDocument } from './conformance-corpus.js'

/** The part of a test runner that the suite needs; `tap`, `node:test` and others have it. */
interface Runner {
  test(name: string, body: () => Promise<void>): unknown
}

/** Names that must be quoted correctly; `DialectExpectations.quoted` has the SQL of each. */
export const TRICKY_NAMES = [
  'plain',
  'Mixed Case',
  'a.b',
  'say "hi"',
  "it's",
  'back`tick',
  'br[ack]et',
  'select',
  'Größe 東京',
  'per%cent',
] as const
/** Texts that must be quoted correctly; `DialectExpectations.strings` has the literal of each. */
export const TRICKY_TEXTS = [
  '',
  'plain',
  "it's",
  "''",
  'back\\slash',
  "\\'; DROP TABLE t; --",
  'say "hi"',
  'line\nbreak',
  'Zürich 🚀',
  '100%_',
] as const

/** What the engine accepts, stated by the author of the dialect. */
export interface DialectExpectations {
  /** Each of `TRICKY_NAMES` in SQL of the engine, byte for byte. */
  readonly quoted: Readonly<Record<(typeof TRICKY_NAMES)[number], string>>
  /** Each of `TRICKY_TEXTS` as a text literal of the engine, byte for byte. */
  readonly strings: Readonly<Record<(typeof TRICKY_TEXTS)[number], string>>
  /** The literals of TRUE, FALSE, 2024-02-29, 23:59:58, 2024-02-29 23:59:58.5, and that in UTC. */
  readonly literals: Readonly<Record<'true' | 'false' | 'date' | 'time' | 'timestamp' | 'timestamp_tz', string>>
  /** Functions that the engine cannot express: all of them, so that none is refused by accident. */
  readonly refusedFunctions?: readonly string[]
  readonly refusedAggregates?: readonly string[]
  /** The maximum length of a statement of the suite, if the engine needs more than 20,000 characters. */
  readonly longest?: number
}

/**
 * Runs the tests that every dialect passes: quoting and literals byte for byte, each function and aggregate, and one statement for each
 * kind of query.
 */
export function dialectConformance(t: Runner, dialect: Dialect, expected: DialectExpectations): void {
  const model = sampleModel()
  const suite: Suite = {
    dialect,
    expected,
    say: (name, body) => t.test(`${dialect.name}: ${name}`, async () => body()),
    sqlOf: (query, of = model) => sqlFor(dialect, query, of),
  }

  suite.say('every capability is true or false', () => {
    assert.deepEqual(Object.keys(dialect.capabilities).sort(), Object.keys(ansi.capabilities).sort())
    for (const [name, value] of Object.entries(dialect.capabilities)) assert.equal(typeof value, 'boolean', name)
  })
  namesConform(suite)
  literalsConform(suite)
  timesConform(suite)
  catalogueConforms(suite)
}

/** A dialect under test, and how its tests are named and its statements made. */
interface Suite {
  readonly dialect: Dialect
  readonly expected: DialectExpectations
  readonly say: (name: string, body: () => void) => unknown
  readonly sqlOf: (query: unknown, of?: SemanticModel) => string
}

/** Names, the paths of tables, and the limit of names. */
function namesConform({ say, dialect, expected, sqlOf }: Suite): void {
  say('names are quoted byte for byte', () => {
    for (const name of TRICKY_NAMES) assert.equal(dialect.quote(name), expected.quoted[name], name)
    const quoted = TRICKY_NAMES.map(dialect.quote)
    assert.equal(new Set(quoted).size, quoted.length, 'two names are never written alike')
  })

  say('a table is written with the parts that the engine knows', () => {
    const parts = dialect.tablePath({ database: 'd', schema: 's', name: 't' })
    assert.equal(parts.at(-1), 't')
    assert.deepEqual(dialect.tablePath({ name: 't' }), ['t'])
  })

  say('names longer than the limit of the engine are shortened and remain distinct', () => {
    assert.ok(Number.isInteger(dialect.maxIdentifierBytes) && dialect.maxIdentifierBytes >= 30, 'maxIdentifierBytes')
    const long = 'ü'.repeat(dialect.maxIdentifierBytes)
    const names = [`${long} one`, `${long} two`]
    const of = sampleModel(Object.fromEntries(names.map((name) => [name, { dataObject: 'Samples', column: 'Text' }])))
    const aliases = namesAfterAs(sqlOf({ select: { dimensions: names } }, of), dialect)
    assert.ok(aliases.size >= 2, 'two names')
    for (const alias of aliases)
      assert.ok(Buffer.byteLength(alias) <= Buffer.byteLength(dialect.quote('')) + dialect.maxIdentifierBytes, alias)
  })
}

/** Constants of every type. */
function literalsConform({ say, dialect, expected, sqlOf }: Suite): void {
  say('a text literal is data, whatever it contains', () => {
    for (const text of TRICKY_TEXTS) assert.equal(dialect.literals.string(text), expected.strings[text], JSON.stringify(text))
    for (const text of TRICKY_TEXTS.filter((value) => value.trim() !== '')) {
      const sql = sqlOf({ select: { measures: ['Rows'] }, where: [{ field: 'Text', op: '=', value: text }] })
      assert.ok(sql.includes(expected.strings[text]), `${JSON.stringify(text)} in ${sql}`)
    }
  })

  say('literals have the form of the engine', () => {
    const { literals } = dialect
    assert.deepEqual(
      {
        true: literals.boolean(true),
        false: literals.boolean(false),
        date: literals.date('2024-02-29'),
        time: literals.time('23:59:58'),
        timestamp: literals.timestamp('2024-02-29 23:59:58.5'),
        timestamp_tz: literals.timestamp_tz('2024-02-29 23:59:58.5'),
      },
      { ...expected.literals },
    )
  })

  say('number literals keep their digits and their sign', () => {
    for (const value of ['-1.50', '0.05', '12345678.90']) {
      const sql = sqlOf({ select: { measures: ['Rows'] }, where: [{ field: 'Samples.Amount', op: 'gt', value }] })
      const digits = new RegExp(`${BEFORE_DIGITS}${value.replace(/0$/, '').replace('.', '\\.')}0?\\b`)
      assert.match(sql.split(' > ')[1] ?? '', digits, `a literal with the digits ${value} after the > of ${sql}`)
    }
    const whole = sqlOf({ select: { measures: ['Rows'] }, where: [{ field: 'Samples.Whole', op: '=', value: -7 }] })
    assert.match(whole, /= \(?-7\b/, `the whole number -7 as it is, in ${whole}`)
  })
}

/** The names of types, and times in periods. */
function timesConform({ say, dialect, expected, sqlOf }: Suite): void {
  say('every type has a name', () => {
    for (const type of TYPES) assert.match(dialect.type(type), /^[A-Za-z]/, type.kind)
    assert.match(dialect.type(decimal(18, 4)), /18.*4/)
  })

  say('times can be truncated to and shifted by every time unit', () => {
    for (const kind of ['date', 'timestamp'] as const)
      for (const grain of TIME_GRAINS) {
        for (const weekStart of ['monday', 'sunday'] as const) assertText(dialect.truncate(grain, 'x', { kind }, weekStart))
        assertText(dialect.dateAdd(grain, '1', 'x', { kind }))
      }
    assert.notEqual(
      dialect.truncate('week', 'x', { kind: 'date' }, 'monday'),
      dialect.truncate('week', 'x', { kind: 'date' }, 'sunday'),
      'weeks begin where the model says',
    )
    const paris = dialect.literals.string('Europe/Paris')
    const there = [dialect.instantToZone('x', paris), dialect.zoneToInstant('x', paris)]
    // An engine that does not know the zone refuses both forms.
    if (there.some((text) => text !== null)) there.forEach(assertText)
  })

  say('nested periods of a calendar do not grow exponentially', () => {
    const { length } = sqlOf(CALENDAR_QUESTION)
    const longest = expected.longest ?? LONGEST
    assert.ok(
      length <= longest,
      `${length} characters, more than ${longest}: a spelling that writes its argument twice doubles all that is inside of it. ` +
        `Times the value is written: ${repeated(dialect)}; where the engine has no other way, state 'longest'`,
    )
  })
}

/** Each function and aggregate, and one statement for each kind of query. */
function catalogueConforms({ say, dialect, expected, sqlOf }: Suite): void {
  say('every function of the catalogue is supported or refused by name', () => {
    assert.deepEqual(Object.keys(FUNCTION_CALLS).sort(), [...builtInFunctions.keys()].sort())
    const refused = Object.keys(FUNCTION_CALLS).filter(
      (name) =>
        !spelledOrRefused(() => sqlOf({ select: { fields: [`Samples.${name}`] } }), name, 'UNSUPPORTED_FUNCTION', dialect),
    )
    assert.deepEqual(
      refused,
      [...(expected.refusedFunctions ?? [])].sort((a, b) => refused.indexOf(a) - refused.indexOf(b)),
    )
  })

  say('every aggregate is supported or refused by name', () => {
    assert.deepEqual(Object.keys(AGGREGATE_MEASURES).sort(), [...builtInAggregates.keys()].sort())
    const refused = Object.keys(AGGREGATE_MEASURES).filter(
      (name) => !spelledOrRefused(() => sqlOf({ select: { measures: [name] } }), name, 'UNSUPPORTED_AGGREGATION', dialect),
    )
    assert.deepEqual(
      refused,
      [...(expected.refusedAggregates ?? [])].sort((a, b) => refused.indexOf(a) - refused.indexOf(b)),
    )
  })

  for (const [name, query] of Object.entries(QUESTIONS)) {
    say(`${name}: compiles, or is refused by name`, () => {
      if (!spelledOrRefused(() => sqlOf(query), '', 'UNSUPPORTED_', dialect)) return
      assert.equal(sqlOf(query), sqlOf(query, sampleModel()), 'the same bytes every time')
    })
  }
}

/** A sign, a cast or the name of a type, as in `NUMERIC '1.5'`, `DECIMAL(3, 2) '1.5'` and `CAST('1.5' AS …)`. */
const BEFORE_DIGITS = `^\\(?(?:CAST\\()?(?:\\w+(?:\\([\\d, ]+\\))? ?)?\\(?'?`

const LONGEST = 20_000

/** Which functions on times write their argument more than once, for example `week 2`. */
function repeated({ truncate, dateAdd }: Dialect): string {
  const found = TIME_GRAINS.flatMap((grain) =>
    [truncate(grain, '@', { kind: 'date' }, 'monday'), dateAdd(grain, '1', '@', { kind: 'date' })].map((text) => ({
      grain,
      times: text.split('@').length - 1,
    })),
  ).filter(({ times }) => times > 1)
  return (
    found.map(({ grain, times }) => `${grain} ${times}`).join(', ') || 'once each, so look at extract, date_diff, div and mod'
  )
}

const TYPES: readonly DataType[] = [
  ...(['string', 'boolean', 'int', 'float', 'date', 'time', 'timestamp', 'timestamp_tz', 'json'] as const).map((kind) => ({
    kind,
  })),
  decimal(18, 2),
]

const NOW = new Date('2025-06-15T12:00:00Z')

const sqlFor = (dialect: Dialect, query: unknown, model: SemanticModel): string =>
  compile(parseQuery(query), model, {
    dialect,
    functions: builtInFunctions,
    aggregates: builtInAggregates,
    now: NOW,
    storedTypes: 'declared',
  }).sql

function sampleModel(dimensions: object = {}): SemanticModel {
  const { model, errors } = parseModelSync({ json: sampleDocument(dimensions) })
  assert.deepEqual(errors, [])
  return model!
}

/** True if text results; false if it is refused with `code` (or one that begins with it) and the name and place of the call. */
function spelledOrRefused(make: () => string, name: string, code: ErrorCode | 'UNSUPPORTED_', dialect: Dialect): boolean {
  try {
    assertText(make())
    return true
  } catch (error) {
    if (!(error instanceof GrainlineError) || !error.code.startsWith(code)) throw error
    assert.ok(error.message.includes(name) && error.message.includes(dialect.name), error.message)
    return false
  }
}

/** A spelling that ignores a missing argument writes `undefined`. */
function assertText(sql: unknown): void {
  assert.equal(typeof sql, 'string')
  // A spelling that loses an argument is detected; quoted texts of the engine, such as 'NaN', are ignored.
  assert.doesNotMatch((sql as string).replace(/'(?:[^']|'')*'/g, "''"), /\bundefined\b|\[object|\bNaN\b|=>/)
  assert.notEqual((sql as string).trim(), '')
}

/** The aliases of a SELECT: long quoted texts after AS. */
function namesAfterAs(sql: string, dialect: Dialect): Set<string> {
  const open = dialect.quote('x').split('x')[0]!
  return new Set(
    sql
      .split(` AS ${open}`)
      .slice(1)
      .map((rest) => open + rest.split(/[,\n]/)[0])
      .filter((name) => name.includes('ü')),
  )
}
