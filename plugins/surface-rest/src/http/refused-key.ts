import { GrainlineError } from '@grainline/core'

/** The refusal of a body with a key that could change the prototype of objects, such as `__proto__`; `undefined` if it has none. */
export function refusedKey(body: unknown): GrainlineError | undefined {
  const path = pathOfKey(body)
  if (path === undefined) return undefined
  const at = path.reduce(joined, '')
  return new GrainlineError(
    'INVALID_REQUEST',
    `The body has the key '${path.at(-1)}' at ${at}; it is refused because it could change the prototype of objects`,
    {
      path: at,
      hint: 'Give the key another name. A model in which something has that name can be sent as text, in model_yaml.',
    },
  )
}

const joined = (path: string, key: string): string =>
  /^\d+$/.test(key) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`

interface Found {
  readonly value: unknown
  readonly key: string
  readonly within: Found | undefined
}

/** There is no recursion, because a hostile body may be deeply nested. */
function pathOfKey(body: unknown): readonly string[] | undefined {
  const open: Found[] = [{ value: body, key: '', within: undefined }]
  for (let at = open.pop(); at; at = open.pop()) {
    if (at.value === null || typeof at.value !== 'object') continue
    for (const [key, value] of Object.entries(at.value)) {
      const found = { value, key, within: at }
      if (key === '__proto__' || (key === 'constructor' && hasPrototype(value))) return keysTo(found)
      open.push(found)
    }
  }
  return undefined
}

const hasPrototype = (value: unknown): boolean => value !== null && typeof value === 'object' && Object.hasOwn(value, 'prototype')

function keysTo(found: Found): readonly string[] {
  const keys: string[] = []
  for (let at: Found | undefined = found; at?.within; at = at.within) keys.unshift(at.key)
  return keys
}
