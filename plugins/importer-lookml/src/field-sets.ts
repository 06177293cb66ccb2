/** The fields of a view that an explore shows: its lists, and the sets that they name. */
import { fullName, type Part } from '@grainline/importer-dbt/foreign'
import type { Context, Role } from './context.js'
import { isOn } from './keys.js'

/** The names of the fields that are shown, in the order of the view. */
export function fieldsOf(role: Role, join: Part | undefined, explore: Part, context: Context): readonly string[] {
  const { view } = role
  const all = [...view.dimensions.keys(), ...view.measures.keys()]
  const ofExplore = selected(explore, role, all, false, context)
  const ofJoin = join ? selected(join, role, all, true, context) : undefined
  const isHidden = (member: string) => {
    const part = view.dimensions.get(member)?.part ?? view.measures.get(member)
    return part !== undefined && isOn(part, 'hidden')
  }
  return all.filter((member) => !isHidden(member) && (ofExplore?.has(member) ?? true) && (ofJoin?.has(member) ?? true))
}

/** The fields of the view in a list; undefined without one. A list of a join may leave out the name of its view. */
function selected(
  part: Part,
  role: Role,
  all: readonly string[],
  isJoin: boolean,
  context: Context,
): ReadonlySet<string> | undefined {
  if (!part.has('fields')) return undefined
  const chosen = new Set<string>()
  const words = part.texts('fields')
  for (const [at, word] of words.entries()) {
    const isLeft = word.startsWith('-')
    const found = membersOf(word.replace(/^-/, ''), role, all, isJoin, context, [])
    if (!found) {
      const known = word.includes('.') || isJoin ? context.owners.has(word.replace(/^-/, '').split('.')[0] ?? '') : false
      if (!known) context.draft.lose('refused', `'${word}' is left out of the fields: it is no field or set.`, part.at('fields'))
    }
    // A list that begins with what it leaves out begins with all.
    if (at === 0 && isLeft) for (const each of all) chosen.add(each)
    for (const member of found ?? []) {
      if (isLeft) chosen.delete(member)
      else chosen.add(member)
    }
  }
  return chosen
}

/** Undefined for the name of another view, or of nothing. */
function membersOf(
  word: string,
  role: Role,
  all: readonly string[],
  isOwn: boolean,
  context: Context,
  open: readonly string[],
): readonly string[] | undefined {
  if (word === 'ALL_FIELDS*') return all
  const at = word.lastIndexOf('.')
  const member = at < 0 ? word : word.slice(at + 1)
  if (at < 0 ? !isOwn : word.slice(0, at) !== role.name) return undefined
  if (!member.endsWith('*')) return all.includes(member) ? [member] : undefined
  const name = member.slice(0, -1)
  if (name === 'ALL_FIELDS') return all
  const set = role.view.sets.get(name)
  if (!set || open.includes(name) || open.length > 20) return undefined
  const members = new Set<string>()
  for (const each of set.texts('fields')) {
    const found = membersOf(each.replace(/^-/, ''), role, all, true, context, [...open, name])
    if (!found)
      context.draft.lose(
        'refused',
        `'${each}' is left out of the set '${fullName(role, name)}': it is no field or set.`,
        set.at('fields'),
      )
    for (const inner of found ?? []) {
      if (each.startsWith('-')) members.delete(inner)
      else members.add(inner)
    }
  }
  return [...members]
}
