/** Checks of what says which rights a principal has. */
import type { AttributeValue } from './principal.js'

/** At most so many values in one attribute. */
export const MOST_VALUES = 10_000

/** The name of an attribute that is neither a value nor a list of values; `undefined` if there is none. */
export const wrongAttribute = (attributes: Readonly<Record<string, unknown>>): string | undefined =>
  Object.entries(attributes).find(([, value]) => !isAttribute(value))?.[0]

function isAttribute(value: unknown): boolean {
  if (Array.isArray(value)) return value.length <= MOST_VALUES && value.every(isPlain)
  return value === null || isPlain(value)
}

const isPlain = (value: unknown): value is AttributeValue =>
  typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value)) || typeof value === 'boolean'

export const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '')

/** Names that begin so are those of keys without one. */
export const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && !value.startsWith('key:')
