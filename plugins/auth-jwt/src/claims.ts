/** Claims of a token, read as they are: nothing is converted, and what is no plain value is refused. */
import { fail } from '@grainline/core'
import type { AttributeValue } from '@grainline/core/surface'
import type { JWTPayload } from 'jose'

/** The name of a claim, or the names on the way to a nested one. */
export type ClaimName = string | readonly string[]

export function claimAt(claims: JWTPayload, name: ClaimName): unknown {
  return [name].flat().reduce<unknown>((at, key) => (isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined), claims)
}

/** A list of texts; of one text, a list of one; of no claim, none. */
export function textsOf(claims: JWTPayload, name: ClaimName): readonly string[] {
  const value = claimAt(claims, name) ?? []
  const texts = Array.isArray(value) ? value : [value]
  return texts.every((text) => typeof text === 'string') ? texts : refuse(name, 'neither a text nor a list of texts')
}

const MOST_VALUES = 10_000

/** An attribute whose claim is missing is missing, too: a policy that reads it refuses. */
export function attributesOf(claims: JWTPayload, names: Readonly<Record<string, ClaimName>>) {
  const found = Object.entries(names).flatMap(([attribute, name]) => {
    const value = claimAt(claims, name)
    return value === undefined || value === null ? [] : [[attribute, plain(value, name)] as const]
  })
  return Object.fromEntries(found)
}

function plain(value: unknown, name: ClaimName): AttributeValue | readonly AttributeValue[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (values.length > MOST_VALUES || !values.every(isPlain))
    return refuse(name, `neither a text, a number or a truth, nor a list of at most ${MOST_VALUES} of them`)
  const [only] = values
  return Array.isArray(value) || only === undefined ? values : only
}

const isPlain = (value: unknown): value is AttributeValue =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const refuse = (name: ClaimName, what: string): never =>
  fail('AUTH_INVALID', `The claim '${[name].flat().join('.')}' of the token is ${what}`)
