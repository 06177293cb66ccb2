/** Units as products of powers: kilometres per hour are `km` to the power of 1 and `h` to the power of -1. */

/** What a unit of the model is made of: a name such as EUR, or the name that a column or a parameter has as its value. */
export type UnitSymbol = NamedSymbol | ColumnSymbol | ParameterSymbol

export interface NamedSymbol {
  readonly kind: 'named'
  readonly name: string
}

/** The value of a column, row by row. */
export interface ColumnSymbol {
  readonly kind: 'column'
  readonly object: string
  readonly column: string
}

/** The value that a query gives. */
interface ParameterSymbol {
  readonly kind: 'parameter'
  readonly name: string
}

export interface Factor<S> {
  readonly of: S
  /** Never 0. */
  readonly power: number
}

/** Each symbol once, in the order of their keys. Without factors it is a ratio of equal units. */
export type Unit<S = UnitSymbol> = readonly Factor<S>[]

export const RATIO: Unit<never> = []

export const named = (name: string): NamedSymbol => ({ kind: 'named', name })

export const unitOf = <S>(symbol: S): Unit<S> => [{ of: symbol, power: 1 }]

const keyOf = (symbol: unknown): string => JSON.stringify(symbol)

/** The unit of a product. */
export function multiplied<S>(units: readonly Unit<S>[]): Unit<S> {
  const powers = new Map<string, Factor<S>>()
  for (const { of, power } of units.flat()) {
    const key = keyOf(of)
    powers.set(key, { of, power: (powers.get(key)?.power ?? 0) + power })
  }
  return [...powers]
    .filter(([, { power }]) => power !== 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, factor]) => factor)
}

/** The unit to a power; `undefined` if a factor would have a power that is not whole. */
export function raised<S>(unit: Unit<S>, exponent: number): Unit<S> | undefined {
  const factors = unit.map(({ of, power }) => ({ of, power: power * exponent }))
  return factors.every(({ power }) => Number.isSafeInteger(power)) ? multiplied([factors]) : undefined
}

export const inverse = <S>(unit: Unit<S>): Unit<S> => unit.map(({ of, power }) => ({ of, power: -power }))

export const isSameUnit = <S>(a: Unit<S>, b: Unit<S>): boolean => keyOf(a) === keyOf(b)

/** The unit with other symbols; equal ones are one factor then. */
export const mapSymbols = <S, T>(unit: Unit<S>, change: (symbol: S) => T): Unit<T> =>
  multiplied(unit.map(({ of, power }) => [{ of: change(of), power }]))

/** As a text in the form in which models write units: `EUR/km`, `kg·m/s^2`, `1/h`; empty for a ratio. */
export function unitText<S>(unit: Unit<S>, textOf: (symbol: S) => string): string {
  const factors = unit
    .map(({ of, power }) => ({ text: textOf(of), power }))
    .toSorted((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text)))
  const shown = (text: string, power: number): string => (power === 1 ? text : `${text}^${power}`)
  const above = factors.flatMap(({ text, power }) => (power > 0 ? [shown(text, power)] : []))
  const below = factors.flatMap(({ text, power }) => (power < 0 ? [`/${shown(text, -power)}`] : []))
  return below.length === 0 ? above.join('·') : `${above.join('·') || '1'}${below.join('')}`
}

/** A symbol as a model writes it. */
export function symbolText(symbol: UnitSymbol): string {
  switch (symbol.kind) {
    case 'named':
      return symbol.name
    case 'parameter':
      return `{@${symbol.name}}`
    case 'column':
      return `{[${symbol.object}].[${symbol.column}]}`
  }
}

/** A unit as a message names it. */
export const unitInWords = (unit: Unit): string => (unit.length === 0 ? 'a ratio' : `'${unitText(unit, symbolText)}'`)
