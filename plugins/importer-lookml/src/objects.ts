/** Views → data objects, and their dimensions. */
import { type Draft, type Entry, emptyOwner, fullName, LeftOut, type Part, tableOf } from '@grainline/importer-dbt/foreign'
import { columnOf } from './columns.js'
import type { Context, Role } from './context.js'
import { isOn, trimmed } from './keys.js'
import { refuseLiquid } from './liquid.js'
import { grainOf } from './timeframes.js'
import { patternOf } from './value-format.js'
import { isPrimary, type LookDimension, type LookView } from './views.js'

/** The data object of a view under a name of an explore. Throws `LeftOut` for one that is no table. */
export function roleOf(name: string, view: LookView, draft: Draft): Role {
  const { part, measures } = view
  const owner = emptyOwner(name, part.place, { ...sourceOf(view, draft), ...described(part) }, measures)
  draft.add('dataObjects', name, owner.entry, part.place)
  return { ...owner, view }
}

const WHOLE = /^select\s{1,99}\*\s{1,99}from\s{1,99}(\S.*)$/is

/** The table of a view. Its query may be all of a table. */
function sourceOf({ name, part }: LookView, draft: Draft): Entry {
  const [derived] = part.has('derived_table') ? part.parts('derived_table') : []
  const key = derived ? 'sql' : 'sql_table_name'
  if (derived && !derived.has('sql'))
    throw new LeftOut(
      'its derived_table is no SQL',
      part.at('derived_table'),
      'Create a view with this query in the database, and write sql_table_name.',
    )
  const written = (derived ?? part).text(key) ?? name
  refuseLiquid(written, key, derived ?? part)
  const path = derived ? WHOLE.exec(written.replace(/;$/, '').trim())?.[1] : written
  const table = path === undefined ? undefined : tableOf(path.trim())
  if (!table)
    throw new LeftOut(
      derived ? 'its derived_table is a query, and no table' : `'${written.slice(0, 60)}' is no table`,
      (derived ?? part).at(key),
      'Create a view with this query in the database, and write sql_table_name.',
    )
  if (derived) draft.lose('rewritten', `The query of '${name}' is its table.`, derived.at(key))
  return table
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
    `'${fullName(role, member)}' is NULL where it is 'Undefined' in Looker. Its tiers are: ${labels.slice(0, 3).join('; ')}.`,
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
