/** Views → data objects, and their dimensions. */
import { type Draft, type Entry, emptyOwner, fullName, LeftOut, type Part, type SqlReader } from '@grainline/importer-dbt/foreign'
import { columnOf } from './columns.js'
import type { Context, Role } from './context.js'
import { isOn, trimmed } from './keys.js'
import { conditionOf, rowsOfView } from './rows-of-view.js'
import { grainOf } from './timeframes.js'
import { patternOf } from './value-format.js'
import { isPrimary, type LookDimension, type LookView } from './views.js'

/** The data object of a view under a name of an explore. Throws `LeftOut` for one that is no table. */
export function roleOf(name: string, view: LookView, draft: Draft, sql: SqlReader): Role {
  const { part, measures } = view
  const { table, where } = rowsOfView(view, draft, sql)
  const owner = emptyOwner(name, part.place, { ...table, ...described(part) }, measures)
  const condition = where && conditionOf(where, owner, draft, sql)
  draft.add('dataObjects', name, owner.entry, part.place)
  return { ...owner, view, condition }
}

export function described(part: Part, more = ''): Entry {
  const [description, label] = [trimmed(part, 'description'), trimmed(part, 'label')]
  const isLiquid = (text: string) => /\{\{|\{%|@\{/.test(text)
  const synonym = label === undefined || isLiquid(label) ? undefined : `${label}${more}`
  return { ...(description !== undefined && { description }), ...(synonym !== undefined && { synonyms: [synonym] }) }
}

/** Keys first: joins and columns of measures need them. */
export function dimensionsOf(context: Context): void {
  for (const role of context.owners.values())
    for (const [member, dimension] of role.view.dimensions) {
      const full = fullName(role, member)
      context.draft.attemptNow(`The dimension '${full}'`, dimension.part.place, () => write(member, dimension, role, context))
    }
}

function write(member: string, { part, timeframe, interval }: LookDimension, role: Role, context: Context): void {
  const column = columnOf(member, role, context)
  if (isPrimary(part)) Object.assign(role.columns[column] ?? {}, { primaryKey: true })
  const grain = timeframe === undefined ? undefined : grainOf(timeframe)
  const word = interval === undefined ? timeframe : `${interval}s`
  const isGroup = word !== undefined && part.text('name') !== member
  const format = patternOf(part)
  const entry = {
    ...{ dataObject: role.name, column },
    ...(grain !== undefined && { timeGrain: grain }),
    ...binsOf(member, part, role, context),
    ...(isOn(part, 'hidden') && { hidden: true }),
    ...(format && { format }),
    ...described(part, isGroup ? ` ${titled(word)}` : ''),
  }
  context.draft.add('dimensions', fullName(role, member), entry, part.place)
}

const titled = (words: string): string => words.replaceAll('_', ' ').replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())

function binsOf(member: string, part: Part, role: Role, { draft }: Context): Entry {
  const type = part.text('type')
  // Each of both types takes each of both keys.
  if (type !== 'tier' && type !== 'bin') return {}
  if (part.has('tiers') && part.has('bins')) throw new LeftOut('it has tiers and bins', part.at('bins'))
  const edges = part.texts(part.has('bins') ? 'bins' : 'tiers').map(Number)
  if (edges.length === 0 || !edges.every((edge, at) => Number.isFinite(edge) && (at === 0 || edge > (edges[at - 1] ?? 0))))
    throw new LeftOut('its tiers are no numbers that rise', part.at('tiers'))
  const style = part.text('style') ?? 'classic'
  if (!Object.hasOwn(STYLES, style)) throw new LeftOut(`'${style}' is no style of tiers`, part.at('style'))
  if (style === 'integer' && !edges.every(Number.isInteger)) throw new LeftOut('its tiers are no whole numbers', part.at('tiers'))
  const labels = STYLES[style]?.(edges) ?? []
  draft.lose(
    'rewritten',
    `'${fullName(role, member)}' is NULL where it is 'Undefined' in Looker. Its tiers are: ${labels.slice(0, 3).join('; ')}${labels.length > 3 ? `; and ${labels.length - 3} more` : ''}.`,
    part.place,
  )
  return { bins: { edges, labels } }
}

/** How the tiers of each style are called. */
const STYLES: Readonly<Record<string, (edges: readonly number[]) => readonly string[]>> = {
  classic: (edges) => intervals(edges).map((text, at) => `T${String(at).padStart(2, '0')} ${text}`),
  interval: (edges) => intervals(edges),
  relational: (edges) => [
    `< ${edges[0]}`,
    ...edges.map((edge, at) => (edges[at + 1] === undefined ? `>= ${edge}` : `>= ${edge} and < ${edges[at + 1]}`)),
  ],
  integer: (edges) => [
    `Below ${edges[0]}`,
    ...edges.map((edge, at) => {
      const next = edges[at + 1]
      return next === undefined ? `${edge} or Above` : next - 1 === edge ? `${edge}` : `${edge} to ${next - 1}`
    }),
  ],
}

const intervals = (edges: readonly number[]): readonly string[] => [
  `(-inf,${edges[0]})`,
  ...edges.map((edge, at) => `[${edge},${edges[at + 1] ?? 'inf'})`),
]
