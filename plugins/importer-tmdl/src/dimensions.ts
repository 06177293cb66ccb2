/** Columns → dimensions; columns that DAX computes; hierarchies. */
import { type Draft, type Entry, LeftOut, type Part } from '@grainline/importer-dbt/foreign'
import type { Kind } from './dax/kind.js'
import { daxOf } from './dax/parse.js'
import { Rows } from './dax/rows.js'
import { patternOf } from './format-string.js'
import { isOn } from './keys.js'
import { addKnown, plainName, type Tables, type TmdlTable } from './tables.js'

/** What is said once about all expressions. */
interface Notes {
  comparesTexts: boolean
}

/** Columns that DAX computes for each row: they may read each other, so those that wait for others are tried again. Those that are left are reported if it is the last time. */
export function computedColumns(tables: Tables, draft: Draft, notes: Notes, isLast: boolean): void {
  for (const table of tables.all.values()) {
    let open = table.part
      .parts('column')
      .filter((part) => part.has('value') && !table.known.has((part.text('name') ?? '').toUpperCase()))
    for (let before = -1, rounds = 0; open.length > 0 && open.length !== before && rounds < MOST_ROUNDS; rounds++) {
      before = open.length
      open = open.filter((part) => !isComputed(part, table, tables, draft, notes))
    }
    if (!isLast) continue
    for (const part of open) {
      draft.leave(part.place)
      draft.attemptNow(`The column '${part.text('name')}' of '${table.name}'`, part.at('value'), () =>
        compute(part, table, tables, draft, notes),
      )
    }
  }
}

/** A longer chain in the order against that of the text is refused. */
const MOST_ROUNDS = 20

function isComputed(part: Part, table: TmdlTable, tables: Tables, draft: Draft, notes: Notes): boolean {
  try {
    compute(part, table, tables, draft, notes)
    return true
  } catch (error) {
    if (!(error instanceof LeftOut)) throw error
    return false
  }
}

const KINDS: Readonly<Record<string, Kind>> = {
  string: 'text',
  int64: 'number',
  double: 'number',
  decimal: 'number',
  boolean: 'boolean',
  dateTime: 'time',
}

function compute(part: Part, table: TmdlTable, tables: Tables, draft: Draft, notes: Notes): void {
  const name = plainName(part)
  const rows = new Rows(tables, table.name)
  const { text, kind } = rows.value(daxOf(part.needed('value')))
  const written = part.text('dataType')
  const declared = written !== undefined && Object.hasOwn(KINDS, written) ? KINDS[written] : undefined
  const own = declared ?? kind
  if (own === undefined || (kind !== undefined && kind !== own))
    throw new LeftOut(`it is no ${String(written)}`, part.at('value'))
  addKnown(table, part, name, { expression: text }, own)
  if (rows.comparesTexts) notes.comparesTexts = true
  draft.places.push({ path: ['dataObjects', table.name, 'columns', name], place: part.at('value') })
  draft.noteDivision(text, `${table.name}.${name}`, part.at('value'))
}

export function dimensionsOf(tables: Tables, draft: Draft): void {
  for (const { name, part, known } of tables.all.values())
    for (const column of part.parts('column')) {
      const written = known.get((column.text('name') ?? '').toUpperCase())
      if (!written || written.name !== column.text('name')) continue
      const format = patternOf(column)
      const description = column.text('description')
      const entry: Entry = {
        ...{ dataObject: name, column: written.name },
        ...((isOn(column, 'isHidden') || isOn(part, 'isHidden')) && { hidden: true }),
        ...(format && { format }),
        ...(description && { description }),
      }
      draft.attemptNow(`The dimension '${name}.${written.name}'`, column.place, () => {
        if (Object.hasOwn(draft.dimensions, `${name}.${written.name}`)) throw new LeftOut('another column has its name')
        draft.add('dimensions', `${name}.${written.name}`, entry, column.place)
      })
    }
}

/** Hierarchies: each level knows those above it. */
export function hierarchiesOf(tables: Tables, draft: Draft): void {
  for (const { name, part } of tables.all.values())
    for (const hierarchy of part.parts('hierarchy'))
      draft.attemptNow(`The hierarchy '${hierarchy.text('name')}' of '${name}'`, hierarchy.place, () => {
        const levels = hierarchy.parts('level').map((level) => {
          level.text('name')
          const column = level.needed('column').replace(/^'(.*)'$/s, '$1')
          const dimension = `${name}.${tables.column(name, column).name}`
          if (!Object.hasOwn(draft.dimensions, dimension)) throw new LeftOut(`there is no dimension '${dimension}'`, level.place)
          return { dimension, place: level.place }
        })
        draft.noteHierarchy(
          `${name}.${hierarchy.text('name')}`,
          levels.map(({ dimension }) => dimension),
          hierarchy.place,
        )
        if (new Set(levels.map(({ dimension }) => dimension)).size !== levels.length) throw new LeftOut('it has a level twice')
        for (const [at, { dimension, place }] of levels.entries())
          if (at > 0 && draft.dimensions[dimension]?.['hierarchy'] !== undefined)
            throw new LeftOut(`'${dimension}' is a level of another hierarchy, and a dimension has one`, place)
        for (const [at, { dimension }] of levels.entries())
          if (at > 0)
            Object.assign(draft.dimensions[dimension] ?? {}, {
              hierarchy: levels
                .slice(0, at)
                .map((each) => each.dimension)
                .toReversed(),
            })
      })
}
