/** Several paths from one object to another, companions joined one-to-one, and self-joins. */
import type { JoinJson } from '../model.js'
import { parentsOf } from './measures.js'
import { ATTRIBUTES, type Draft, hasOneToOne, join } from './model.js'
import type { Random } from './random.js'

type Drafts = Map<string, Draft>

/** Adds some of each. */
export function addWays(random: Random, drafts: Drafts): void {
  if (random.chance(0.6)) addShortcut(random, drafts)
  if (random.chance(0.5)) addSelfJoin(random, drafts)
  for (let i = random.between(0, 2); i > 0; i--) addCompanion(random, drafts, `Extra ${i}`)
}

/** Everything that an object reaches, nearest first. */
function above(drafts: Drafts, name: string): string[] {
  const seen = new Set<string>([name])
  for (const at of seen) for (const parent of parentsOf(drafts.get(at)!)) seen.add(parent)
  return [...seen].slice(1)
}

/** A direct join to an object that is reached through others. */
function addShortcut(random: Random, drafts: Drafts): void {
  const far = [...drafts.keys()].flatMap((name) => {
    const own = parentsOf(drafts.get(name)!)
    return above(drafts, name).flatMap((to) => (own.includes(to) ? [] : [[name, to] as const]))
  })
  for (const [name, to] of random.some(far, random.between(1, 2))) join(random, drafts.get(name)!, to, drafts.get(to)!, false)
}

/** A secondary self-join, as of employees to their managers. */
function addSelfJoin(random: Random, drafts: Drafts): void {
  const [name] = random.some(
    [...drafts.keys()].filter((n) => !('part' in drafts.get(n)!.columns) && !drafts.get(n)!.nestedIn),
    1,
  )
  if (name === undefined) return
  const { columns, joins } = drafts.get(name)!
  columns['to_boss'] = { code: 'to_boss', abstractType: 'int' }
  joins.push({
    joinType: 'many-to-one',
    joinTo: name,
    columnsFrom: ['to_boss'],
    columnsTo: ['id'],
    secondary: true,
    pathName: 'boss',
  })
}

/** An object with at most one row for each row of another, declared by either; it may join objects that the other reaches. */
export function addCompanion(random: Random, drafts: Drafts, name: string): string | undefined {
  const isManyToMany = ({ joinType }: JoinJson): boolean => joinType === 'many-to-many'
  if (hasOneToOne(drafts) || [...drafts.values()].some((d) => d.joins.some(isManyToMany))) return undefined
  const [of] = random.some(
    [...drafts.keys()].filter((n) => !drafts.get(n)!.nestedIn),
    1,
  )
  const base = drafts.get(of!)!
  const companion: Draft = {
    code: name.toLowerCase(),
    columns: { id: { code: 'id', abstractType: 'int', primaryKey: true } },
    joins: [],
  }
  for (const a of random.some(Object.keys(ATTRIBUTES), random.between(1, 3))) companion.columns[a] = ATTRIBUTES[a]!
  const all = above(drafts, of!)
  // An object that the base reaches only through others, to which a companion adds a second path.
  const far = all.filter((o) => !parentsOf(base).includes(o))
  for (const to of new Set([...random.some(far, random.pick([0, 1, 1])), ...random.some(all, random.pick([0, 0, 1]))]))
    join(random, companion, to, drafts.get(to)!, false)
  const declaredByBase = random.chance(0.5)
  if (declaredByBase) join(random, base, name, companion, true)
  else join(random, companion, of!, base, true)
  const entries = [...drafts]
  const at = entries.findIndex(([n]) => n === of) + (declaredByBase ? 0 : 1)
  drafts.clear()
  for (const [n, d] of [...entries.slice(0, at), [name, companion] as const, ...entries.slice(at)]) drafts.set(n, d)
  return of
}
