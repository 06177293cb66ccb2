/** What a scalar or aggregate function of the catalogue is; the extension points `functions` and `aggregates` take these. */
import type { DataType } from '../data-type.js'

/**
 * Renders a call from its rendered arguments; their types are for engines that need them. A call has the number of arguments that the
 * specification of its function asks for, which is checked before: this is why a table takes a spelling of any number of them.
 */
export type SpellFunction<Args extends readonly string[] = readonly string[]> = {
  spell(args: Args, types: { readonly [I in keyof Args]: DataType }): string
}['spell']

/** `null` says that the dialect refuses the function by name. */
export type Spelling<Args extends readonly string[] = readonly string[]> = SpellFunction<Args> | null

/** Rendered arguments, as many as there may be. */
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

/** A scalar function that expressions may call: what it takes, what it gives, what it means, and how engines spell it. */
export interface FunctionSpec {
  /** Lower case. */
  readonly name: string
  /** Least and most arguments; `Infinity` for variadic. */
  readonly arity: readonly [least: number, most: number]
  /** The result's type from the arguments' types, and from the time unit where the function takes one. */
  readonly result: (args: readonly DataType[], unit?: string) => DataType
  /** One sentence: what it means on every engine. */
  readonly meaning: string
  /** The first argument is a time unit, written as a literal. */
  readonly takesUnit?: boolean
  /** Spellings per dialect name that come with the function itself; a dialect's own table wins. */
  readonly spellings?: Readonly<Record<string, Spelling>>
  /** Plans alone use it; authors of expressions do not see it. */
  readonly internal?: boolean
}

/** An aggregate that measures may name: what it takes, what it gives, what it means, and how engines spell it. */
export interface AggregateSpec {
  readonly name: string
  readonly arity: readonly [least: number, most: number]
  readonly result: (args: readonly DataType[]) => DataType
  readonly meaning: string
  /** `additive`: values of disjoint groups add up to the value of their union. */
  readonly additivity: 'additive' | 'semi-additive' | 'non-additive'
  /** The value over no rows: 0 for counts, NULL for the rest. */
  readonly empty: 'zero' | 'null'
  readonly spellings?: Readonly<Record<string, Spelling>>
}
