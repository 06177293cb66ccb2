/** A semantic model in TMDL → a model, and the list of what the model does not say as it is written. */
import type { Imported, Loss } from '@grainline/core'
import { Draft, type Part, Refused, ruleLeftOut } from '@grainline/importer-dbt/foreign'
import { Days } from './days.js'
import { computedColumns, dimensionsOf, hierarchiesOf } from './dimensions.js'
import { KEYS } from './keys.js'
import { Measures } from './measures.js'
import { joinsOf } from './relationships.js'
import { addTable, Tables } from './tables.js'

export async function documentOf(root: Part): Promise<Imported> {
  const parts = root.parts('table')
  const first = parts[0]
  if (!first) throw new Refused('The text declares no table.', root.place, 'Add the files of the tables.')
  for (const part of parts) part.needed('name')
  const draft = new Draft(KEYS)
  const tables = new Tables()
  const made = new Set(parts.flatMap((part) => (MADE.test(part.text('name') ?? '') ? [part.text('name') ?? ''] : [])))
  const texts = textsIn(root)
  for (const part of parts) {
    const name = part.text('name') ?? ''
    if (made.has(name)) {
      draft.leave(part.place)
      draft.lose('inert', `'${name}' is left out: Power BI makes such tables for times, and hides them.`, part.place)
    } else draft.attemptNow(`The table '${name}'`, part.place, () => addTable(part, texts, tables, draft))
  }
  const days = new Days(tables, draft)
  const measures = new Measures(
    parts.filter((part) => !made.has(part.text('name') ?? '')),
    tables,
    days,
    draft,
  )
  // Relationships may read computed columns, and computed columns what relationships lead to.
  computedColumns(tables, draft, measures.notes, false)
  joinsOf(root, (name) => made.has(name), tables, draft)
  computedColumns(tables, draft, measures.notes, true)
  dimensionsOf(tables, draft)
  hierarchiesOf(tables, draft)
  days.declareMarked()
  measures.write()
  days.reportMarked()
  noteMeanings(measures, first, draft)
  const rules = rulesIn(root, draft)
  for (const model of root.parts('model')) model.text('name')
  draft.unread([root])
  const { dataObjects, dimensions, metrics, places, losses } = draft
  return {
    document: {
      ...{ version: 1, settings: draft.settings },
      ...(Object.keys(days.calendars).length > 0 && { calendars: days.calendars }),
      ...{ dataObjects, dimensions, measures: draft.measures, metrics },
    },
    places,
    losses: draft.withPaths([...losses, ...rules], (place) => root.around(place)),
  }
}

/** Roles, and permissions wherever they stand. */
function rulesIn(root: Part, draft: Draft): readonly Loss[] {
  const roles = root.parts('role')
  for (const role of roles) draft.leave(role.place)
  const named = roles.map((role) => ({ what: `The role '${role.text('name')}'`, place: role.place }))
  const stray = root.everyKey().filter(({ key }) => key === 'role' || /^(table|column)Permission$/.test(key))
  const found = named.length > 0 ? named : stray.map(({ key, place }) => ({ what: `'${key}'`, place }))
  return found.map(({ what, place }) => ruleLeftOut(what, place))
}

/** Tables that Power BI makes for each column that is a time. */
const MADE = /^(LocalDateTable_|DateTableTemplate_)/

/** Parameters of sources: named expressions that are one text. */
function textsIn(root: Part): ReadonlyMap<string, string> {
  return new Map(
    root.parts('expression').flatMap((part) => {
      const text = /^\s*"((?:[^"]|"")*)"/.exec(part.text('value') ?? '')?.[1]
      return text === undefined ? [] : [[part.needed('name'), text.replaceAll('""', '"')]]
    }),
  )
}

function noteMeanings({ notes }: Measures, { place }: Part, draft: Draft): void {
  draft.lose(
    'rewritten',
    'A filter that does not reach a measure is an error (settings.strictFilters), and a group that does not is reached through the rows of the table between them. In Power BI both change nothing.',
    place,
    { path: ['settings', 'strictFilters'] },
  )
  if (notes.compares)
    draft.lose(
      'rewritten',
      'A comparison has no row for a period without data of its own. In Power BI it has one if the compared period has data.',
      place,
      { path: WHOLE, hint: 'Ask with gaps for rows of all periods.' },
    )
  if (notes.shifts)
    draft.lose(
      'rewritten',
      'A filter on days that ends with a month is compared with the same days of another month. DATEADD of Power BI compares it with days to the end of that month.',
      place,
      { path: WHOLE },
    )
  if (notes.counts) draft.lose('rewritten', 'A count of nothing is 0. In Power BI it is blank.', place, { path: WHOLE })
  if (notes.comparesTexts)
    draft.lose('rewritten', 'Comparisons of texts tell capitals from small letters. In Power BI they do not.', place, {
      path: WHOLE,
    })
}

/** A line about the whole model. */
const WHOLE: readonly string[] = []
