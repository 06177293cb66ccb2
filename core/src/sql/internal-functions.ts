import { BOOLEAN, DATE, FLOAT, INT, STRING, TIMESTAMP, TIMESTAMP_TZ } from '../model/data-type.js'
import type { FunctionSpec } from '../model/functions/function-spec.js'

const specs = [
  { name: 'in_zone', arity: [2, 2], result: () => TIMESTAMP, meaning: 'the wall clock of an instant in a time zone' },
  { name: 'from_zone', arity: [2, 2], result: () => TIMESTAMP_TZ, meaning: 'the instant of a wall clock in a time zone' },
  { name: 'finite', arity: [1, 1], result: () => FLOAT, meaning: 'the double, NULL where it is NaN or infinite' },
  { name: 'unless_nan', arity: [1, 1], result: () => FLOAT, meaning: 'the double, NULL where it is NaN' },
  { name: 'is_nan', arity: [1, 1], result: () => BOOLEAN, meaning: 'whether a double is NaN' },
  { name: 'same', arity: [2, 2], result: () => BOOLEAN, meaning: 'whether two values are equal, or both NULL' },
  { name: 'nullable', arity: [1, 1], result: (args) => args[0] ?? STRING, meaning: 'the value, with a type that allows NULL' },
  {
    name: 'not_an_array',
    arity: [2, 2],
    result: () => BOOLEAN,
    meaning: 'whether a value of the given type is other JSON than an array and null',
  },
  {
    name: 'before_last_dates',
    arity: [1, 1],
    result: (args) => args[0] ?? DATE,
    meaning: 'the date, or the same one 400 years earlier, so that the engine has the dates of the year after it',
  },
  { name: 'too_deep', arity: [1, 1], result: () => INT, meaning: 'no value: an error with the text TREE_TOO_DEEP and the depth' },
  { name: 'exact_text', arity: [1, 1], result: () => STRING, meaning: 'the text, equal only to itself' },
] as const satisfies readonly FunctionSpec[]

export type InternalFunction = (typeof specs)[number]

const known = new WeakMap<ReadonlyMap<string, FunctionSpec>, ReadonlyMap<string, FunctionSpec>>()

/** The catalogue including the functions that only plans use. */
export function withInternalFunctions(functions: ReadonlyMap<string, FunctionSpec>): ReadonlyMap<string, FunctionSpec> {
  let all = known.get(functions)
  if (!all) {
    all = new Map([...functions, ...specs.map((s): [string, FunctionSpec] => [s.name, { ...s, internal: true }])])
    known.set(functions, all)
  }
  return all
}
