import { firstOf, zip } from '../../invariant.js'
import type { DraftColumn, DraftTable } from './draft.js'
import { counted, isId, isNameOf, nameOf, UNPROBED } from './guess-keys.js'
import type { Followed, Key, Link, Probe } from './structure.js'
import { singular } from './words.js'

/**
 * The share of rows without a match that a reference may have, because lookup tables are often incomplete. A larger share if the column
 * names the table itself.
 */
const MOST_LOST = 0.2
const MOST_LOST_NAMED = 0.5
/** A smaller share of unmatched values if only the values suggest the reference. */
const MOST_LOST_VALUES = 0.05
const FEWEST_VALUES = 3
/** References that are tried by their values alone. */
const MOST_TRIED = 60

/** The references of every table: declared, or else those that names or values suggest and the data confirm. */
export async function guessLinks(
  tables: readonly DraftTable[],
  keys: ReadonlyMap<DraftTable, Key>,
  probe: Probe,
): Promise<readonly Link[]> {
  const declared = tables.flatMap((table) => declaredLinks(table, tables))
  const links: Link[] = []
  for (const link of declared) links.push({ ...link, foreignKey: link.foreignKey === true && (await isKept(link, probe)) })
  const budget = { tries: MOST_TRIED }
  for (const table of tables) {
    for (const column of table.columns.filter((each) => !isLinked(table, each, declared))) {
      const found = (await byName(table, column, keys, probe)) ?? (await byValue({ from: table, column, keys, budget }, probe))
      if (found) links.push(found)
    }
    links.push(...(await byPair(table, keys, links, probe)))
  }
  return links
}

const isLinked = (table: DraftTable, column: DraftColumn, links: readonly Link[]): boolean =>
  links.some((link) => link.from === table && link.columnsFrom.includes(column))

function declaredLinks(from: DraftTable, tables: readonly DraftTable[]): readonly Link[] {
  return from.table.foreignKeys.flatMap((key): Link[] => {
    const to = tables.find(
      ({ table }) => table.name === key.target.name && (key.target.schema ?? from.table.schema) === table.schema,
    )
    if (to === undefined) return []
    const columns = (table: DraftTable, names: readonly string[]) =>
      names.flatMap((name) => table.columns.find((column) => column.name === name) ?? [])
    const [columnsFrom, columnsTo] = [columns(from, key.columns), columns(to, key.targetColumns)]
    // A part that no type of a model reads is missing, and the rest refers to several rows.
    const whole = [columnsFrom, columnsTo].every(({ length }) => length === key.columns.length)
    const foreignKey = key.enforced === true
    return whole ? [{ from, columnsFrom, to, columnsTo, oneToOne: false, foreignKey, evidence: undefined }] : []
  })
}

/**
 * Whether each row has a match now, in the types in which the model reads both sides. A load that switched the checks off leaves no trace
 * in the catalogue, only rows.
 */
async function isKept(link: Link, probe: Probe): Promise<boolean> {
  const alike = zip(link.columnsFrom, link.columnsTo).every(([own, other]) => isAlike(own, other))
  return alike && (await probe.follow(link))?.lost === 0
}

async function byName(
  from: DraftTable,
  column: DraftColumn,
  keys: ReadonlyMap<DraftTable, Key>,
  probe: Probe,
): Promise<Link | undefined> {
  const isOwnKey = isKeyOf(keys.get(from), column)
  const candidates = singleKeys(keys, from)
    .filter(({ table, column: key }) => table !== from && isAlike(key, column))
    .map(({ table, column: key }) => ({ table, key, rank: rankOf(column, key, table) }))
    // A column that is a key itself refers to the table that it is named after: details of a customer to the customer.
    .filter(({ rank }) => rank === 2 || (rank === 1 && !isOwnKey))
    .toSorted((a, b) => b.rank - a.rank)
  for (const { table: to, key, rank } of candidates) {
    if (isOwnKey && isNameOf(stemOf(column), from.words)) continue
    const link = { from, columnsFrom: [column], to, columnsTo: [key], oneToOne: isOwnKey }
    const followed = await probe.follow(link)
    if (!followed) return { ...link, evidence: `by name; ${UNPROBED}` }
    if (followed.lost <= followed.linked * (rank === 2 ? MOST_LOST_NAMED : MOST_LOST))
      return { ...link, evidence: `by name; ${toldOf(followed, from, to)}` }
  }
  return undefined
}

/** 2 for a column that names the table, 1 for one that has the name of its key, 0 for neither. */
function rankOf(column: DraftColumn, key: DraftColumn, table: DraftTable): 0 | 1 | 2 {
  const stem = stemOf(column)
  if (isNameOf(stem, table.words) || (isId(column) && playsPartOf(stem, table.words))) return 2
  const generic = key.words.length === 1 && (isId(key) || GENERIC.has(firstOf(key.words)))
  return nameOf(column) === nameOf(key) && nameOf(key) !== '' && !generic ? 1 : 0
}

/** Roles of such tables: an author is a user, a billing id refers to an address. */
const PARTS: readonly { readonly parts: ReadonlySet<string>; readonly tables: ReadonlySet<string> }[] = [
  { parts: new Set('billing shipping delivery home work'.split(' ')), tables: new Set(['address']) },
  {
    parts: new Set('author owner creator assignee manager supervisor reviewer approver sender recipient'.split(' ')),
    tables: new Set('user employee person staff member account'.split(' ')),
  },
]

const playsPartOf = (stem: readonly string[], table: readonly string[]): boolean =>
  PARTS.some(({ parts, tables }) => parts.has(stem.at(-1) ?? '') && tables.has(singular(table).join(' ')))

const GENERIC = new Set(['name', 'title', 'label', 'type', 'status', 'date', 'day', 'month', 'year', 'value'])

/** The words without the one that marks a key. */
export const stemOf = (column: DraftColumn): readonly string[] => (isId(column) ? column.words.slice(0, -1) : column.words)

/** A column whose values may be keys of another table. */
interface Search {
  readonly from: DraftTable
  readonly column: DraftColumn
  readonly keys: ReadonlyMap<DraftTable, Key>
  readonly budget: { tries: number }
}

/** The values of texts are strong evidence: airport codes match only the table of airports. */
async function byValue({ from, column, keys, budget }: Search, probe: Probe): Promise<Link | undefined> {
  if (column.type?.kind !== 'string' || isKeyOf(keys.get(from), column)) return undefined
  const facts = await probe.facts({ table: from, column })
  if (!facts || facts.distinct < FEWEST_VALUES) return undefined
  for (const { table: to, column: key } of singleKeys(keys, from)) {
    if (to === from || key.type?.kind !== 'string' || budget.tries-- <= 0) continue
    const link = { from, columnsFrom: [column], to, columnsTo: [key], oneToOne: false }
    const followed = await probe.follow(link)
    if (followed && followed.linked > 0 && followed.lostLinks <= facts.distinct * MOST_LOST_VALUES)
      return { ...link, evidence: `by its values; ${toldOf(followed, from, to)}` }
  }
  return undefined
}

/** References to a table with a key of two columns, by columns of the same names. */
async function byPair(
  from: DraftTable,
  keys: ReadonlyMap<DraftTable, Key>,
  known: readonly Link[],
  probe: Probe,
): Promise<readonly Link[]> {
  const found: Link[] = []
  for (const { table: to, columns: columnsTo } of nearest(keys, from)) {
    const isKnown = [...known, ...found].some((link) => link.from === from && link.to.table.name === to.table.name)
    if (to === from || columnsTo.length < 2 || isKnown) continue
    const columnsFrom = columnsTo.flatMap(
      (key) => from.columns.find((own) => nameOf(own) === nameOf(key) && isAlike(own, key)) ?? [],
    )
    const own = keys.get(from)?.columns ?? []
    const isOwnKey = own.length === columnsFrom.length && own.every((column) => columnsFrom.includes(column))
    if (columnsFrom.length < columnsTo.length || isOwnKey) continue
    const link = { from, columnsFrom, to, columnsTo, oneToOne: false }
    const followed = await probe.follow(link)
    if (followed && followed.linked > 0 && followed.lost <= followed.linked * MOST_LOST)
      found.push({ ...link, evidence: `by name; ${toldOf(followed, from, to)}` })
  }
  return found
}

const isAlike = (a: DraftColumn, b: DraftColumn): boolean => a.type !== undefined && a.type.kind === b.type?.kind

/** The keys, those of the same schema first: tables of one name may be in several schemas. */
const nearest = (keys: ReadonlyMap<DraftTable, Key>, from: DraftTable): readonly Key[] => {
  const isNear = ({ table }: Key): boolean => table.table.schema === from.table.schema
  return [...keys.values()].toSorted((a, b) => Number(isNear(b)) - Number(isNear(a)))
}

const singleKeys = (keys: ReadonlyMap<DraftTable, Key>, from: DraftTable) =>
  nearest(keys, from).flatMap(({ table, columns }) => (columns.length === 1 ? [{ table, column: firstOf(columns) }] : []))

const isKeyOf = (key: Key | undefined, column: DraftColumn): boolean => key?.columns.length === 1 && key.columns[0] === column

function toldOf({ linked, lost }: Followed, from: DraftTable, to: DraftTable): string {
  const target = singular(to.words).join(' ') || to.label
  if (linked === 0) return `'${from.label}' has no rows to compare`
  if (lost === 0) return `each of ${counted(linked)} rows finds its ${target}`
  return `${counted(linked - lost)} of ${counted(linked)} rows find their ${target}`
}
