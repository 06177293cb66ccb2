import { isTemporal } from '../../model/data-type.js'
import { type ColumnUse, useOf } from './column-use.js'
import { type DraftColumn, unused } from './draft.js'
import { monthOf, nameFor, sharedLabels } from './field-names.js'
import { isId } from './guess-keys.js'
import type { ModelObject } from './model-object.js'
import type { Note } from './note.js'
import { proposedRevenue } from './revenue.js'
import type { Probe, Structure } from './structure.js'
import { NAMES } from './vocabulary.js'

export interface Fields {
  readonly dimensions: Readonly<Record<string, object>>
  readonly measures: Readonly<Record<string, object>>
  /** Columns that convert others, by object. */
  readonly columns: ReadonlyMap<ModelObject, Readonly<Record<string, object>>>
  readonly notes: readonly Note[]
  /** Measures that neither names nor data decide, as lines of YAML. */
  readonly unsure: readonly string[]
}

/** What fields are made of. */
interface Making {
  readonly structure: Structure
  readonly probe: Probe
  readonly shared: ReadonlySet<string>
  readonly taken: Set<string>
  readonly dimensions: Record<string, object>
  readonly measures: Record<string, object>
  readonly columns: Map<ModelObject, Record<string, object>>
  readonly notes: Note[]
  readonly unsure: string[]
}

/** The first dimensions and measures of a model, with names that include their object if necessary. */
export async function modelFields(objects: readonly ModelObject[], structure: Structure, probe: Probe): Promise<Fields> {
  const taken = new Set(objects.map(({ label }) => `${label} count`.toLowerCase()))
  const making: Making = {
    structure,
    probe,
    shared: sharedLabels(objects),
    taken,
    dimensions: {},
    measures: {},
    columns: new Map(),
    notes: [],
    unsure: [],
  }
  for (const object of objects) await addFields(object, making)
  return making
}

interface Use {
  readonly column: DraftColumn
  readonly use: ColumnUse
}

async function addFields(object: ModelObject, making: Making): Promise<void> {
  const { structure, probe } = making
  const uses: Use[] = []
  for (const column of object.table.columns) {
    const facts = await probe.facts({ table: object.table, column })
    uses.push({ column, use: useOf(object, column, structure, facts) })
  }
  const kept = usesOf(object, uses)
  // A table of which no other text is read shows its long texts.
  const hasText = kept.some(
    ({ column, use }) => use.kind === 'group' && use.hidden === undefined && column.type?.kind === 'string' && !isId(column),
  )
  const state = { months: 0 }
  for (const { column, use } of kept) await addField({ object, column, use: hasText ? use : shown(use), state }, making)
  if (object.role.length === 0) addRevenue(object, uses, making)
}

/** A role that ends shows its names; any role, and a table of references alone, shows nothing that is hidden. */
function usesOf(object: ModelObject, uses: readonly Use[]): readonly Use[] {
  if (object.isEnd) return uses.filter(({ column }) => namesOf(uses).includes(column))
  return object.role.length > 0 ? uses.filter(({ use }) => !('hidden' in use) || use.hidden === undefined) : uses
}

/** By what a role is known: its names, or else its first text. */
function namesOf(uses: readonly Use[]): readonly DraftColumn[] {
  const texts = uses.flatMap(({ column, use }) =>
    use.kind === 'group' && use.hidden === undefined && column.type?.kind === 'string' ? [column] : [],
  )
  const named = texts.filter(({ words }) => NAMES.has(words.at(-1) ?? ''))
  return named.length > 0 ? named : texts.slice(0, 1)
}

const shown = (use: ColumnUse): ColumnUse =>
  use.kind === 'group' && use.hidden === 'long text' ? { kind: 'group', why: 'the only text of its table' } : use

interface Field {
  readonly object: ModelObject
  readonly column: DraftColumn
  readonly use: ColumnUse
  readonly state: { months: number }
}

async function addField({ object, column, use, state }: Field, making: Making): Promise<void> {
  const { dimensions, measures, taken, notes } = making
  const field = { dataObject: object.label, column: column.label }
  const name = nameFor(object, column, making.shared)
  const say = (path: Note['path'], why: string | undefined) => {
    if (why !== undefined) notes.push({ path, text: why })
  }
  if (use.kind === 'none') say(['dataObjects', object.label, 'columns', column.label], use.why)
  else if (use.kind === 'group') {
    const own = unused(name, taken)
    dimensions[own] = { ...field, ...(use.hidden !== undefined && { hidden: true }) }
    say(['dimensions', own], use.hidden === undefined ? use.why : `hidden: ${use.hidden}`)
  } else if (use.kind === 'time') {
    const day = column.type?.kind === 'date' || (column.type && !isTemporal(column.type)) ? {} : { timeGrain: 'day' }
    const own = unused(name, taken)
    dimensions[own] = { ...field, ...day, ...(use.hidden !== undefined && { hidden: true }) }
    say(['dimensions', own], use.hidden === undefined ? undefined : `hidden: ${use.hidden}`)
    if (use.hidden === undefined && state.months++ === 0) addMonth(object, column, { field, name }, making)
  } else if (use.kind === 'date-text') await addDateText({ object, column, use, state }, name, making)
  else if (use.kind === 'measure') {
    const { aggregation } = use
    measures[unused(aggregation === 'avg' ? `Average ${name}` : name, taken)] = { columns: [field], aggregation }
  } else
    making.unsure.push(`${name}: { columns: [ { dataObject: ${object.label}, column: ${column.label} } ], aggregation: sum }`)
}

function addMonth(object: ModelObject, column: DraftColumn, { field, name }: Shown, { taken, dimensions }: Making): void {
  const month = monthOf(object, column, name)
  const own = unused(taken.has(month.toLowerCase()) ? `${name} Month` : month, taken)
  dimensions[own] = { ...field, timeGrain: 'month', format: 'yyyy-MM' }
}

interface Shown {
  readonly field: { readonly dataObject: string; readonly column: string }
  readonly name: string
}

/** A text in ISO form gets a column with its date; of another form a comment says that it must be converted. */
async function addDateText({ object, column, use, state }: Field, name: string, making: Making): Promise<void> {
  const at = { table: object.table, column }
  const path = ['dataObjects', object.label, 'columns', column.label]
  if (use.kind !== 'date-text' || !use.isIso || !(await making.probe.days(at))) {
    making.dimensions[unused(name, making.taken)] = { dataObject: object.label, column: column.label }
    making.notes.push({ path, text: 'texts that look like days; for dates, convert them in a SELECT as the code of this object' })
    return
  }
  const ends = column.words.at(-1) === 'date' ? 'Day' : 'Date'
  const own = unused(`${column.label} ${ends}`, new Set(object.table.columns.map(({ label }) => label.toLowerCase())))
  const columns = making.columns.get(object) ?? {}
  columns[own] = { expression: `CAST({${column.label}} AS date)`, abstractType: 'date' }
  making.columns.set(object, columns)
  making.notes.push({
    path: ['dataObjects', object.label, 'columns', own],
    text: `guessed by its values: each text of '${column.label}' is a date`,
  })
  const field = { dataObject: object.label, column: own }
  making.dimensions[unused(name, making.taken)] = field
  if (state.months++ === 0) addMonth(object, column, { field, name }, making)
}

function addRevenue(object: ModelObject, uses: readonly { readonly column: DraftColumn }[], making: Making): void {
  const proposed = proposedRevenue(
    object,
    uses.map(({ column }) => column),
  )
  if (proposed === undefined) return
  const own = unused(proposed.name, making.taken)
  making.measures[own] = proposed.measure
  making.notes.push({ path: ['measures', own], text: proposed.why })
}
