/** Declared bridge tables: associations of two objects, with and without weights. */
import type { ColumnJson } from '../model.js'
import { ATTRIBUTES, type Draft, join } from './model.js'
import type { Random } from './random.js'

type Drafts = Map<string, Draft>

const WEIGHTS: readonly ColumnJson[] = [
  { code: 'share', abstractType: 'float', sqlType: 'DECIMAL(6,4)' },
  { code: 'share', abstractType: 'float', sqlType: 'DECIMAL(6,4)' },
  { code: 'share', abstractType: 'int' },
]
const AS_DOUBLE: ColumnJson = { code: 'share', abstractType: 'float' }

/** One or two of them. `floats`: some weights are doubles. */
export function addBridges(random: Random, drafts: Drafts, floats: boolean): void {
  for (let i = random.pick([1, 1, 2]); i > 0; i--) addBridge(random, drafts, i, floats)
}

function addBridge(random: Random, drafts: Drafts, number: number, floats: boolean): void {
  const known = [...drafts.keys()].filter((n) => !drafts.get(n)!.nestedIn && !drafts.get(n)!.bridge)
  const from = random.pick(known)
  const target = `Tags ${number}`
  const others = known.filter((n) => n !== from)
  const to = random.chance(0.8) || others.length === 0 ? target : random.pick(others)
  if (to === target) drafts.set(target, plainDraft(random, target))
  const bridge: Draft = { ...plainDraft(random, `Links ${number}`), bridge: true }
  join(random, bridge, from, drafts.get(from)!, false)
  join(random, bridge, to, drafts.get(to)!, false)
  for (const j of bridge.joins) delete (j as { required?: boolean }).required
  if (random.chance(0.6)) {
    bridge.columns['share'] = floats && random.chance(0.3) ? AS_DOUBLE : random.pick(WEIGHTS)
    bridge.weight = 'share'
  }
  drafts.set(`Links ${number}`, bridge)
}

function plainDraft(random: Random, name: string): Draft {
  const keyed = random.chance(0.7)
  const columns: Record<string, ColumnJson> = { id: { code: 'id', abstractType: 'int', ...(keyed && { primaryKey: true }) } }
  for (const a of random.some(Object.keys(ATTRIBUTES), random.between(1, 2))) columns[a] = ATTRIBUTES[a]!
  return { code: name.toLowerCase(), columns, joins: [] }
}
