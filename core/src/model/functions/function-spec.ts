/** A scalar or aggregate function of the catalogue; the extension points `functions` and `aggregates` accept these. */
import type { DataType } from '../data-type.js'
import type { Parameter } from './parameter.js'

/**
 * Renders a call from its rendered arguments; their types are for engines that need them. The number of arguments is checked before against
 * the specification of the function, so a table accepts a spelling with any number of parameters.
 */
export type SpellFunction<Args extends readonly string[] = readonly string[]> = {
  spell(args: Args, types: { readonly [I in keyof Args]: DataType }): string
}['spell']

/** `null`: the dialect refuses the function by name. */
export type Spelling<Args extends readonly string[] = readonly string[]> = SpellFunction<Args> | null

/** Any number of rendered arguments. */
export type Arguments<Arity extends FunctionSpec['arity']> = Arity extends readonly [0, 0]
  ? readonly []
  : Arity extends readonly [1, 1]
    ? readonly [string]
    : Arity extends readonly [2, 2]
      ? readonly [string, string]
      : Arity extends readonly [3, 3]
        ? readonly [string, string, string]
        : Arity extends readonly [2, number]
          ? readonly [string, string, ...string[]]
          : readonly [string, ...string[]]

/** A scalar function that expressions may call: its arguments, its result, its meaning, and its SQL on each engine. */
export interface FunctionSpec {
  /** Lower case. */
  readonly name: string
  /** Minimum and maximum number of arguments; `Infinity` for variadic. */
  readonly arity: readonly [least: number, most: number]
  /** What each argument must be; the last one repeats. Without it, arguments of every type are passed on to the engine. */
  readonly takes?: readonly Parameter[]
  /** The type of the result from the types of the arguments, and from the time unit if the function takes one. */
  readonly result: (args: readonly DataType[], unit?: string) => DataType
  /** One sentence: its meaning on every engine. */
  readonly meaning: string
  /** The first argument is a time unit, written as a literal. */
  readonly takesUnit?: boolean
  /** SQL by dialect name that comes with the function itself; an entry of the dialect has precedence. */
  readonly spellings?: Readonly<Record<string, Spelling>>
  /** Only plans use it; authors of expressions cannot. */
  readonly internal?: boolean
}

/** An aggregate that measures may name: its arguments, its result, its meaning, and its SQL on each engine. */
export interface AggregateSpec {
  readonly name: string
  readonly arity: readonly [least: number, most: number]
  readonly result: (args: readonly DataType[]) => DataType
  readonly meaning: string
  /** `additive`: the value of a union of disjoint groups is the sum of their values. */
  readonly additivity: 'additive' | 'semi-additive' | 'non-additive'
  /** The value over no rows: 0 for counts, NULL for the others. */
  readonly empty: 'zero' | 'null'
  readonly spellings?: Readonly<Record<string, Spelling>>
}
