/** Hostile variants of valid inputs: the same seed gives the same variants. */

export type Random = () => number

/** Numbers in [0, 1) from a seed (mulberry32). */
export function random(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)]!

const deep = (depth: number): unknown => (depth === 0 ? 'x' : { logic: 'and', filters: [deep(depth - 1)] })
const HOSTILE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  -0,
  2 ** 53,
  '',
  ' ',
  '\u0000',
  "'; DROP TABLE x; --",
  '"]}',
  '{[Revenue]}',
  'Region',
  'Revenue',
  'Sale Id',
  'Sales Count',
  'Shops.Region',
  5,
  'Region:month',
  'Region:',
  'Sales.Amount',
  '__proto__',
  'constructor',
  'toString',
  '\ud800',
  '\u202e😀',
  'x'.repeat(5000),
  [],
  {},
  [[]],
  [null],
  { constructor: 1 },
  { field: 'Region', op: 'in', value: ['a', null] },
  { field: 'Region', op: 'between', value: [1] },
  { field: 'Region', op: 'relative', value: { unit: 'day', count: 1e9 } },
  { field: 'Region', op: 'exists', subquery: { dataObject: 'Sales', filter: [] } },
  deep(60),
  Array.from({ length: 300 }, (_, i) => `n${i}`),
]

/** The value with one to a few of its parts replaced, removed, renamed, doubled or swapped. */
export function mutate(value: unknown, random: Random): unknown {
  let mutated = structuredClone(value)
  for (let i = 1 + Math.floor(random() * random() * 4); i > 0; i--) mutated = change(mutated, random)
  return mutated
}

function change(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random() < 0.08) return pick(random, HOSTILE)
  const keys = Object.keys(value)
  if (keys.length === 0) return pick(random, HOSTILE)
  const key = pick(random, keys)
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
  const action = random()
  if (action < 0.7) copy[key] = change(copy[key], random)
  else if (action < 0.8) delete copy[key]
  else if (action < 0.9) copy[pick(random, ['selct', 'limit', 'having', 'Where', `${key}x`, 'grouping'])] = copy[key]
  else copy[key] = copy[pick(random, keys)]
  return Array.isArray(value) ? Object.values(copy) : copy
}

const SNIPPETS = [
  '\n',
  '  ',
  ': ',
  '- ',
  '{',
  '}',
  '[',
  ']',
  '&a ',
  '*a',
  '!!js/function x',
  '#',
  '"',
  "'",
  '|',
  '>',
  '\t',
  '\u0000',
  '\ud83d',
  '<<: ',
  '---\n',
  '{[x].[y]}',
  '((',
  'CASE WHEN',
  '~',
  '0x1',
  '1e999',
]

/** The text with one to six pieces cut, doubled, moved or put in. */
export function mutateText(text: string, random: Random): string {
  let mutated = text
  for (let i = 1 + Math.floor(random() * 6); i > 0; i--) {
    const at = Math.floor(random() * mutated.length)
    const length = Math.floor(random() * 30)
    const action = random()
    if (action < 0.35) mutated = mutated.slice(0, at) + mutated.slice(at + length)
    else if (action < 0.5) mutated = mutated.slice(0, at + length) + mutated.slice(at)
    else if (action < 0.85) mutated = mutated.slice(0, at) + pick(random, SNIPPETS) + mutated.slice(at)
    else mutated = mutated.slice(0, at) + String(pick(random, HOSTILE)).slice(0, 100) + mutated.slice(at + length)
  }
  return mutated
}
