import { firstOf, lastOf } from '../../invariant.js'
import { isNumeric, isTemporal } from '../../model/data-type.js'
import { type DraftColumn, unused } from './draft.js'
import { isId, isNameOf, nameOf } from './guess-keys.js'
import type { ModelObject } from './objects.js'
import type { Probe, Structure } from './structure.js'
import { singular, titled } from './words.js'

export interface Fields {
  readonly dimensions: Readonly<Record<string, object>>
  readonly measures: Readonly<Record<string, object>>
}

/** Integers that are grouped by and not aggregated. */
const CATEGORIES = new Set(
  'year quarter month week weekday day hour minute second zip postcode phone version rank level priority'.split(' '),
)
/** Numbers that are positions: neither grouped by nor aggregated. */
const PLACES = new Set('lat latitude lon lng long longitude tz dir direction line seq sequence position'.split(' '))
/** Words that may precede `time` in the name of a duration; other times are clock times, such as 1730. */
const LENGTHS = new Set('air elapsed travel wait waiting response processing run load total lead cycle handling'.split(' '))
/** Numbers that are averaged, because their sum has no meaning. */
const AVERAGED = new Set(
  (
    'unit retail list supply price rate ratio percent percentage pct discount tax margin share interest score rating grade age avg average mean median min max ' +
    'temp temperature humid humidity pressure speed gust wind dewp visib visibility alt altitude ' +
    'elevation factor index probability stars height width length depth weight size balance bal stock inventory delay'
  ).split(' '),
)
/** Integers that count things and may be summed; other integers are averaged. */
const ADDED = new Set(
  (
    'quantity qty amount count total units items pieces minutes hours seconds days duration distance miles km seats points visits views ' +
    'clicks impressions sessions orders sales sold revenue cost profit fee fees value precip precipitation rainfall passengers'
  ).split(' '),
)
/** Words that make a price or a weight a total. */
const SUMMED = new Set('total extended gross net subtotal'.split(' '))
/** Last words of a name that refers to a row: `reports_to`. */
const REFERRING = new Set('to by of'.split(' '))
/** Texts that are read and not grouped by. */
const PROSE = new Set(
  'comment comments description note notes body text message content url uri link password hash token secret salt'.split(' '),
)
/** Names that need the name of their object. */
const BARE = new Set(
  (
    'id code key name title label type kind status state date day month year time created updated modified description number total ' +
    'amount quantity price cost count value size active enabled priority category'
  ).split(' '),
)

/** The first dimensions and measures of a model, with names that include their object if necessary. */
export async function modelFields(objects: readonly ModelObject[], structure: Structure, probe: Probe): Promise<Fields> {
  const taken = new Set(objects.map(({ label }) => `${label} count`.toLowerCase()))
  const shared = sharedLabels(objects)
  const dimensions: Record<string, object> = {}
  const measures: Record<string, object> = {}
  for (const object of objects) {
    let months = 0
    for (const column of object.table.columns) {
      if (column.type === undefined || isKey(object, column, structure)) continue
      const field = { dataObject: object.label, column: column.label }
      const name = nameFor(object, column, shared)
      if (isTemporal(column.type)) {
        const day = column.type.kind === 'date' ? {} : { timeGrain: 'day' }
        dimensions[unused(name, taken)] = { ...field, ...day }
        if (months++ === 0)
          dimensions[unused(monthOf(object, column, name), taken)] = { ...field, timeGrain: 'month', format: 'yyyy-MM' }
      } else if (isGroup(object, column)) dimensions[unused(name, taken)] = field
      else if (isNumeric(column.type)) {
        const measure = await measureOf(object, column, probe)
        if (measure)
          measures[unused(measure === 'avg' ? `Average ${name}` : name, taken)] = { columns: [field], aggregation: measure }
      }
    }
  }
  return { dimensions, measures }
}

/** Numeric keys have no meaning; a text key may be queried. */
function isKey({ table }: ModelObject, column: DraftColumn, { keys, links }: Structure): boolean {
  if (column.type !== undefined && isTemporal(column.type)) return false
  if (links.some((link) => link.from === table && link.columnsFrom.includes(column))) return true
  const isOwn = keys.get(table)?.columns.includes(column) === true
  return isOwn && (column.type?.kind !== 'string' || /uuid/i.test(column.sqlType))
}

function isGroup({ table }: ModelObject, column: DraftColumn): boolean {
  const last = column.words.at(-1) ?? ''
  if (column.type?.kind === 'boolean') return true
  if (column.type?.kind === 'string') return !PROSE.has(last) && !/uuid/i.test(column.sqlType)
  return column.type?.kind === 'int' && CATEGORIES.has(last) && !isNameOf(column.words, table.words)
}

/** How a number is aggregated; `undefined` for one that identifies something. */
async function measureOf({ table, role }: ModelObject, column: DraftColumn, probe: Probe): Promise<'sum' | 'avg' | undefined> {
  const { words, type } = column
  // A role of a table is only looked up; its numbers belong to the table.
  if (role.length > 0 || isId(column) || isNameOf(words, table.words) || isClock(column)) return undefined
  if (words.some((word) => CATEGORIES.has(word) || PLACES.has(word))) return undefined
  // `reports_to`, `created_by`: refers to a row of some table.
  if (type?.kind === 'int' && words.length > 1 && REFERRING.has(lastOf(words))) return undefined
  if (words.some((word) => AVERAGED.has(word)) && !words.some((word) => SUMMED.has(word))) return 'avg'
  const facts = await probe.facts({ table, column })
  // Fractions between 0 and 1 are rates, whatever their name.
  const isFraction = type?.kind !== 'int' && facts?.min !== undefined && facts.min >= 0 && (facts.max ?? 2) <= 1
  if (isFraction) return 'avg'
  return type?.kind !== 'int' || words.some((word) => ADDED.has(word)) ? 'sum' : 'avg'
}

const isClock = ({ words }: DraftColumn): boolean => words.at(-1) === 'time' && !LENGTHS.has(words.at(-2) ?? '')

/** Names of columns that several objects have. */
function sharedLabels(objects: readonly ModelObject[]): ReadonlySet<string> {
  const labels = objects.flatMap(({ table }) => table.columns.map(nameOf))
  return new Set(labels.filter((label, i) => labels.indexOf(label) !== i))
}

/** `Order Date`, `Customer`, `Quantity`: the name includes the object if the column alone would not be clear. */
function nameFor({ row, role, table }: ModelObject, column: DraftColumn, shared: ReadonlySet<string>): string {
  const { words } = column
  if (words.length === 1 && words[0] === 'name') return titled(row)
  const own = singular(table.words)
  const begins = (name: readonly string[]) => name.every((word, i) => words[i] === word)
  if (begins(row) || (role.length === 0 && (begins(own) || begins(table.words)))) return titled(words)
  if (begins(own)) return titled([...row, ...words.slice(own.length)])
  if (own.every((word) => words.includes(word))) return titled(role.length > 0 ? [...role, ...words] : words)
  const bare = words.length === 1 && BARE.has(firstOf(words))
  const said = row.at(-1) === words[0] ? words.slice(1) : words
  return bare || role.length > 0 || shared.has(nameOf(column)) ? titled([...row, ...said]) : titled(words)
}

const CLOCK_WORDS = new Set(['date', 'time', 'timestamp', 'at', 'on', 'day', 'datetime', 'ts'])

/** `Order Month` for `Order Date`. */
function monthOf({ row }: ModelObject, column: DraftColumn, name: string): string {
  const words = name.toLowerCase().split(' ')
  const kept = words.filter((word, i) => i === 0 || i < words.length - 2 || !CLOCK_WORDS.has(word))
  return titled([
    ...(kept.length === 1 && CLOCK_WORDS.has(firstOf(kept)) ? row : kept),
    ...(column.words.at(-1) === 'month' ? [] : ['month']),
  ])
}
