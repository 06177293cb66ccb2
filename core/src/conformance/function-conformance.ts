/**
 * What every function and aggregate must do, as a function that its own test calls with what a plugin registers:
 *
 *     functionConformance(t, { functions: [soundex], aggregates: [], dialects: [myDialect] })
 */
import { strict as assert } from 'node:assert'
import type { TestRunner } from '../execute/vendor-conformance.js'
import {
  BOOLEAN,
  DATE,
  type DataType,
  decimal,
  FLOAT,
  INT,
  JSON_TYPE,
  STRING,
  TIME,
  TIMESTAMP,
  TIMESTAMP_TZ,
} from '../model/data-type.js'
import type { AggregateSpec, FunctionSpec, Spelling } from '../model/functions/function-spec.js'
import type { Dialect } from '../sql/dialect.js'

/** What a plugin registers, and the dialects that it is written for. */
export interface FunctionsUnderTest {
  readonly functions?: readonly FunctionSpec[]
  readonly aggregates?: readonly AggregateSpec[]
  readonly dialects: readonly Dialect[]
}

const TYPES: readonly DataType[] = [STRING, INT, FLOAT, BOOLEAN, DATE, TIME, TIMESTAMP, TIMESTAMP_TZ, JSON_TYPE, decimal(12, 2)]
const KINDS: ReadonlySet<string> = new Set(TYPES.map(({ kind }) => kind))
/** The number of arguments with which a variadic function is tested. */
const MOST = 4

/** Runs the tests that every function passes: its name, its arguments, its type, its meaning and its spellings. */
export function functionConformance(t: TestRunner, { functions = [], aggregates = [], dialects }: FunctionsUnderTest): void {
  for (const spec of functions) common(t, spec, dialects)
  for (const spec of aggregates) {
    common(t, spec, dialects)
    t.test(`${spec.name}: the results of disjoint groups and of no rows are declared`, async () => {
      assert.ok(['additive', 'semi-additive', 'non-additive'].includes(spec.additivity), spec.additivity)
      assert.ok(['zero', 'null'].includes(spec.empty), spec.empty)
    })
  }
}

function common(t: TestRunner, spec: FunctionSpec | AggregateSpec, dialects: readonly Dialect[]): void {
  const say = (name: string, body: () => void) => t.test(`${spec.name}: ${name}`, async () => body())
  const [least, most] = spec.arity
  const counts = Array.from({ length: Math.min(most, Math.max(least, MOST)) - least + 1 }, (_, i) => least + i)
  const argsOf = (count: number, type: DataType) => Array.from({ length: count }, () => type)
  const unit = 'takesUnit' in spec && spec.takesUnit ? 'day' : undefined

  say('its name is a plain word in lower case, and its number of arguments is valid', () => {
    assert.match(spec.name, /^[a-z][a-z0-9_]*$/)
    assert.ok(Number.isInteger(least) && least >= 0 && most >= least, `${least} to ${most} arguments`)
  })

  say('its meaning is a sentence', () => assert.match(spec.meaning, /\S \S/))

  say('its type depends only on the types of its arguments', () => {
    for (const count of counts) {
      for (const type of TYPES) {
        const types = argsOf(count, type)
        const given = spec.result(types, unit)
        assert.ok(KINDS.has(given?.kind), `of ${count} × ${type.kind} it is ${JSON.stringify(given)}`)
        assert.deepEqual(spec.result(types, unit), given)
      }
    }
  })

  say('the SQL of a dialect uses all of its arguments', () => {
    for (const dialect of dialects) {
      const spelling = spellingOf(spec, dialect)
      for (const count of spelling ? counts : []) {
        const args = argsOf(count, STRING).map((_, i) => `"argument ${i + 1}"`)
        const text = spelling!(args, argsOf(count, STRING))
        for (const arg of args) assert.ok(text.includes(arg), `${dialect.name} leaves out an argument: ${text}`)
      }
    }
  })
}

/** A spelling of the dialect has precedence. One with its own form is accepted: the suite of the dialect tests it. */
function spellingOf(spec: FunctionSpec | AggregateSpec, dialect: Dialect): Spelling | undefined {
  const table: Readonly<Record<string, unknown>> = 'additivity' in spec ? dialect.aggregates : dialect.functions
  if (!Object.hasOwn(table, spec.name)) return spec.spellings?.[dialect.name]
  return table[spec.name] === null ? null : (args) => args.join(', ')
}
