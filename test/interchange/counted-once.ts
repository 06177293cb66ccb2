/** Whether each item of a foreign text, and each key that nobody knows, is in what an importer gives exactly once. */
import type { Imported, Importer, Loss } from '@grainline/core'
import { type ForeignItem, withKeys } from './keys-of-nobody.js'

/** Items that are parts of what another item is written as, and are counted with it. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  // A filter of a measure, a join that the other cube declares too, a cube of a view, and what a hierarchy does to its levels.
  cube: ['filters', 'joins', 'cubes', 'hierarchies'],
  // A measure that a metric reads, and what a metric reads.
  dbt: ['measures', 'metrics of metrics'],
  // A view and a field that another declaration adds to.
  lookml: ['view', 'measure', 'dimension'],
  // A column that is no dimension.
  ossie: ['fields'],
  snowflake: ['facts'],
  // What a table reads, and what a hierarchy does to its levels.
  tmdl: ['partition', 'hierarchy', 'level'],
}

/** What is wrong with the list of a text, each of whose items has a key that nobody knows. */
export async function miscounted(
  importer: Importer,
  text: string,
  counts: Record<string, number> = {},
): Promise<readonly string[]> {
  if (importer.name === 'ossie') return miscountedWithoutKeys(importer, text, counts)
  const { text: written, items } = withKeys(importer.name, text)
  return wrongIn(await whole(importer, written), items, importer, counts)
}

/** Ossie refuses a text with an unknown key, so each of them is read by itself. */
async function miscountedWithoutKeys(
  importer: Importer,
  text: string,
  counts: Record<string, number>,
): Promise<readonly string[]> {
  const plain = withKeys(importer.name, text, () => false)
  const wrong = [...wrongIn(await whole(importer, plain.text), plain.items, importer, counts)]
  for (const number of plain.items.keys()) {
    const one = withKeys(importer.name, text, (each) => each === number)
    const { key } = one.items.find((item) => item.key) ?? {}
    const read = await importer.read({ text: one.text })
    const [fault, ...more] = 'faults' in read ? read.faults : []
    const isRight = key && more.length === 0 && fault?.message.includes(`'${key.name}'`) && fault.place?.line === key.line
    if (!isRight) wrong.push(`${key?.name} (line ${key?.line}): ${JSON.stringify([fault, ...more])}`)
  }
  return wrong
}

async function whole(importer: Importer, text: string): Promise<Imported> {
  const read = await importer.read({ text })
  if ('faults' in read) throw new Error(`${JSON.stringify(read.faults)}\n${text}`)
  return read
}

function wrongIn(
  read: Imported,
  items: readonly ForeignItem[],
  importer: Importer,
  counts: Record<string, number>,
): readonly string[] {
  if (items.length === 0) throw new Error('the text has no items')
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1
  }
  return [...twice(read.losses), ...items.flatMap((item) => wrongAbout(item, read, importer, count))]
}

function wrongAbout(
  item: ForeignItem,
  { losses, places }: Imported,
  { name }: Importer,
  count: (what: string) => void,
): readonly string[] {
  const linesOf = ({ line }: ForeignItem) =>
    losses.filter(({ place, kind, message }) => place?.line === line && kind !== 'rewritten' && !isOfKey(message))
  const what = `the item in line ${item.line} (${item.kind})`
  const ofKey = item.key ? losses.filter(({ message }) => message.includes(`'${item.key?.name}'`)) : []
  count('items')
  if (item.around.some((each) => linesOf(each).length > 0)) {
    count('in what is left out')
    return ofKey.length > 0 ? [`${what} is in what is left out, and its key has a line`] : []
  }
  const isWritten = places.some(({ place }) => place.line === item.line)
  const own = linesOf(item)
  const kinds = [item.kind, `${item.kind} of ${item.around.at(-1)?.kind}`]
  const isPart = !isWritten && own.length === 0 && kinds.some((kind) => PARTS[name]?.includes(kind))
  count(isWritten ? 'written' : isPart ? 'part' : (own[0]?.kind ?? 'lost'))
  const expected = item.key && own.length === 0 ? 1 : 0
  return [
    ...((isWritten || isPart ? 1 : 0) + own.length === 1
      ? []
      : [`${what} is ${isWritten ? 'written, and ' : ''}in ${own.length} lines`]),
    ...(ofKey.length === expected ? [] : [`the key of ${what} has ${ofKey.length} lines and not ${expected}`]),
    ...ofKey.flatMap(({ place }) =>
      place?.line === item.key?.line ? [] : [`the key of ${what} is said to be in line ${place?.line}`],
    ),
  ]
}

/** A line about one key of an item that is written. */
const isOfKey = (message: string): boolean => /^'\w+' of /.test(message)

function twice(losses: readonly Loss[]): readonly string[] {
  const said = losses.map(({ kind, message, place }) => `${place?.line}:${place?.column} ${kind}: ${message}`)
  return said.filter((line, at) => said.indexOf(line) !== at)
}
