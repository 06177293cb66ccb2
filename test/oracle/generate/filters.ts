/** Conditions on a field of a known kind. */
import type { Json, LeafJson } from '../model.js'
import type { Kind } from '../world.js'
import { DAYS, INTS, MOMENTS, PRICES, RATIOS, STRINGS } from './pools.js'
import type { Random } from './random.js'

const ORDERED = [
  'eq',
  '=',
  'equals',
  'neq',
  '!=',
  'gt',
  '>',
  'gte',
  'lt',
  'lte',
  '<=',
  'between',
  'not_between',
  'in',
  'not_in',
  'inlist',
  'notinlist',
] as const
const NULLS = ['is_null', 'is_not_null', 'set', 'notset', 'blank', 'notblank'] as const
const TEXTS = [
  'contains',
  'notcontains',
  'starts_with',
  'ends_with',
  'like',
  'notlike',
  'regex',
  'notregex',
  'length_eq',
  'length_gt',
  'length_lt',
] as const
const LISTS: readonly string[] = ['in', 'not_in', 'inlist', 'notinlist']
const WITHOUT_NULL: readonly string[] = ['gt', '>', 'gte', 'lt', 'lte', '<=', 'between', 'not_between']

/** A condition on `field`. `simple` leaves out the operators and values that model filters do not support. */
export function filterLeaf(random: Random, field: string, kind: Kind, simple = false): LeafJson {
  if (!simple && (kind === 'date' || kind === 'timestamp') && random.chance(0.35)) return relativeLeaf(random, field)
  const op = operatorFor(random, kind, simple)
  const value = valueFor(random, op, kind, simple)
  return { field, op, ...(value !== undefined && { value }) }
}

/** Ranges that end near the clock of the cases (January 2026) and reach back into the data. */
function relativeLeaf(random: Random, field: string): LeafJson {
  const unit = random.pick(['year', 'quarter', 'month', 'week', 'day'] as const)
  const count = random.between(1, { year: 3, quarter: 10, month: 30, week: 110, day: 800 }[unit])
  const direction = random.chance(0.9) ? 'past' : 'future'
  return { field, op: 'relative', value: { unit, count, direction, include_current: random.chance(0.5) } }
}

function operatorFor(random: Random, kind: Kind, simple: boolean): string {
  if (random.chance(0.15)) return random.pick(NULLS)
  if (kind === 'string' && random.chance(0.5)) return random.pick(TEXTS)
  if (kind === 'boolean') return random.pick(['eq', 'neq', 'in'])
  return random.pick(simple ? ORDERED.filter((o) => !o.startsWith('not_b')) : ORDERED)
}

function valueFor(random: Random, op: string, kind: Kind, simple: boolean): Json | undefined {
  if ((NULLS as readonly string[]).includes(op)) return undefined
  if (op.startsWith('length_')) return random.between(0, 3)
  if (op === 'like' || op === 'notlike') return random.pick(['%', 'a%', '_', '%b%', 'a\\_b', '_%_', 'x\\%y', 'A', "%'%"])
  if (op === 'regex' || op === 'notregex') return random.pick(['^a', 'b$', '[ab]', '^.$', 'e|a', '^$'])
  if (LISTS.includes(op))
    return random
      .some(poolOf(random, kind), random.between(simple ? 1 : 0, 3))
      .concat(!simple && random.chance(0.2) ? [null] : [])
  if (op.includes('between')) return random.some(poolOf(random, kind), 2)
  if (!simple && !WITHOUT_NULL.includes(op) && !(TEXTS as readonly string[]).includes(op) && random.chance(0.06)) return null
  return random.pick(poolOf(random, kind))
}

/** Values as a client would write them. */
function poolOf(random: Random, kind: Kind): Json[] {
  switch (kind) {
    case 'string':
      return [...STRINGS]
    case 'boolean':
      return [true, false]
    case 'int':
      return [...INTS, 3.5]
    case 'decimal':
      return random.chance(0.7) ? PRICES.map(Number) : [...PRICES]
    case 'float':
      return [...RATIOS]
    case 'date':
      return [...DAYS]
    case 'timestamp':
      return [...DAYS, ...MOMENTS]
  }
}
