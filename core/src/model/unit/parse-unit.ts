import { multiplied, raised, type Unit, unitOf } from './unit.js'

/** Where a text is no unit, and why. */
export class UnitError extends Error {}

/** The maximum length of a text; the longest names of real units are much shorter. */
const MAX_LENGTH = 200
const MAX_POWER = 9
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** One factor: a reference in braces or a name, and its power. */
const FACTOR = /^(?:\{([^{}]*)\}|([^{}*·/^⁰¹²³⁴⁵⁶⁷⁸⁹]+))(?:\^(-?\d)|([⁰¹²³⁴⁵⁶⁷⁸⁹]))?$/u

/**
 * A unit such as `EUR/km` or `kg·m/s^2`; `/` divides by the next factor only. `symbolOf` finds what a reference or a name means. Throws
 * `UnitError`.
 */
export function parseUnit<S>(
  text: string,
  symbolOf: { readonly reference: (text: string) => S; readonly name: (text: string) => S },
): Unit<S> {
  if (text.length > MAX_LENGTH) throw new UnitError(`a unit has at most ${MAX_LENGTH} characters`)
  if (/\p{Cc}/u.test(text)) throw new UnitError('a unit has no control characters')
  const parts = partsOf(text)
  return multiplied(parts.map((part, i) => factorOf(part, i === 0 && parts.length > 1, symbolOf)))
}

interface Part {
  readonly text: string
  readonly divides: boolean
}

/** The factors between `*`, `·` and `/`; those within braces belong to a name. */
function partsOf(text: string): readonly Part[] {
  const parts: { text: string; divides: boolean }[] = [{ text: '', divides: false }]
  let isInside = false
  for (const character of text) {
    if (character === '{') isInside = true
    if (character === '}') isInside = false
    if (!isInside && '*·/'.includes(character)) parts.push({ text: '', divides: character === '/' })
    else parts.at(-1)!.text += character
  }
  return parts
}

function factorOf<S>(
  { text, divides }: Part,
  mayBeOne: boolean,
  symbolOf: { readonly reference: (text: string) => S; readonly name: (text: string) => S },
): Unit<S> {
  const written = text.trim()
  if (written === '1' && mayBeOne) return []
  const [, reference, name, exponent, superscript] = FACTOR.exec(written) ?? []
  if (reference === undefined && (name === undefined || name.trim() === ''))
    throw new UnitError(written === '' ? 'a factor is missing' : `'${written}' is no factor of a unit`)
  if (name !== undefined && /^[\d.,+-]+$/.test(name.trim())) throw new UnitError(`'${name.trim()}' is a number, and no unit`)
  const symbol = reference === undefined ? symbolOf.name(name!.trim()) : symbolOf.reference(reference.trim())
  const power = exponent === undefined ? (superscript === undefined ? 1 : SUPERSCRIPTS.indexOf(superscript)) : Number(exponent)
  if (power === 0 || Math.abs(power) > MAX_POWER)
    throw new UnitError(`the power of '${written}' is not between 1 and ${MAX_POWER}`)
  return raised(unitOf(symbol), divides ? -power : power)!
}
