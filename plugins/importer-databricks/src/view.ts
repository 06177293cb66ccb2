/** The text of a metric view as records. */
import type { Loss } from '@grainline/core'
import { type Item, LeftOut, type Metric, type Part, Refused, sqlReader, type View } from '@grainline/importer-dbt/foreign'
import { patternOf } from './formats.js'
import { Tree } from './joins.js'
import { readable, type Written } from './sql.js'
import { sourceOf } from './table-name.js'
import { type Field, type OverFields, overNote, windowsOf } from './windows.js'

/** A view, and what it says that the records do not. */
export interface MetricView {
  readonly view: View
  readonly losses: readonly Loss[]
  readonly tree: Tree
}

export async function viewOf(root: Part, name: string | undefined): Promise<MetricView> {
  check(root)
  const losses: Loss[] = []
  const parameters = parametersOf(root, losses)
  const { table, filter } = sourceOf(root)
  const tree = new Tree(root, table, await sqlReader(), parameters)
  const reader = new Reader(root, tree, parameters, losses)
  const metrics = reader.metrics()
  const description = root.text('comment')?.trim() || undefined
  const view: View = {
    ...{ name, description, tables: tree.tables({ dimensions: reader.dimensions(), description: undefined }) },
    ...{ relationships: tree.relationships, metrics, filters: reader.filters(filter), queries: [] },
  }
  return { view, losses: [...losses, ...tree.losses], tree }
}

const ROOT = new Set('version source comment filter joins dimensions fields measures parameters materialization'.split(' '))

function check(root: Part): void {
  const version = root.text('version') ?? '1.1'
  if (!['0.1', '1.1'].includes(version))
    throw new Refused(`The version '${version}' is not known.`, root.at('version'), 'Write a metric view of version 1.1 or 0.1.')
  for (const key of Object.keys(root.data))
    if (!ROOT.has(key) && !/polic|mask|row_filter/i.test(key))
      throw new Refused(`'${key}' is no key of a metric view.`, root.at(key), `Write one of ${[...ROOT].join(', ')}.`)
}

/** Names that a question gives a value, in capitals. */
function parametersOf(root: Part, losses: Loss[]): ReadonlySet<string> {
  return new Set(
    root.parts('parameters').map((part) => {
      for (const key of Object.keys(part.data)) part.value(key)
      const name = part.needed('name')
      losses.push({
        ...{ kind: 'refused', message: `The parameter '${name}' is left out, with all that reads it.`, place: part.place },
        hint: 'Add it to the parameters of the model, and what reads it.',
      })
      return name.toUpperCase()
    }),
  )
}

interface Draft {
  readonly part: Part
  readonly name: string
  readonly written: Written
}

class Reader {
  readonly #fields: readonly Draft[]
  readonly #measures: readonly Draft[]
  /** Fields whose name is also that of a column that is another value. */
  readonly #doubled = new Set<string>()
  readonly #days = new Set<string>()

  constructor(
    private readonly root: Part,
    private readonly tree: Tree,
    private readonly parameters: ReadonlySet<string>,
    private readonly losses: Loss[],
  ) {
    this.#fields = [...root.parts('fields'), ...root.parts('dimensions')].flatMap((part) => this.#draft(part))
    this.#measures = root.parts('measures').flatMap((part) => this.#draft(part))
    if (this.#fields.length + this.#measures.length === 0)
      throw new Refused('The text declares no field and no measure.', root.place, 'Add fields and measures.')
    for (const { name, written } of this.#fields) {
      const key = name.toUpperCase()
      if (isColumn(written.sql, key)) continue
      if (written.alone.has(key) || written.ofSource.has(key)) this.#doubled.add(key)
    }
  }

  #draft(part: Part): readonly Draft[] {
    const sql = part.needed('expr')
    if (!part.has('name') && /\*/.test(sql)) {
      const message = `The fields '${sql.slice(0, 80)}' are left out: only the database knows which columns there are.`
      this.losses.push({ kind: 'refused', message, place: part.at('expr'), hint: 'Write a field for each column.' })
      return []
    }
    return [{ part, name: part.needed('name'), written: readable(sql, this.parameters) }]
  }

  /** Read after the measures, which say what fields must be. */
  dimensions(): readonly Item[] {
    return this.#fields.map((field) => {
      const { part, name, written } = field
      const many = [...written.paths].find((path) => this.tree.isMany(path))
      const odd =
        many === undefined ? this.#oddOf(field) : `there are several rows of '${many.toLowerCase()}' for a row of the source`
      const type = this.#days.has(name.toUpperCase()) ? 'date' : undefined
      return { ...itemOf(part, name, written), type, odd }
    })
  }

  metrics(): readonly Metric[] {
    const fields = new Map<string, Field>(this.#fields.map(({ name, written }) => [name.toUpperCase(), { name, written }]))
    return this.#measures.map((measure) => {
      const { part, name, written } = measure
      const { windows, odd } = attempted(part, fields)
      const metric: Metric = {
        ...{ ...itemOf(part, name, written), odd: odd ?? this.#oddOf(measure) },
        ...{ nonAdditive: windows.nonAdditive, relationships: [], over: windows.over, format: patternOf(part) },
      }
      const note = metric.odd === undefined ? overNote(metric) : undefined
      if (note !== undefined) this.losses.push({ kind: 'rewritten', message: note, place: part.at('window') })
      if (windows.days && metric.odd === undefined) this.#dayOf(windows.days, metric)
      return metric
    })
  }

  #dayOf({ name }: Field, metric: Metric): void {
    this.#days.add(name.toUpperCase())
    const message = `'${name}' is read as a date, because '${metric.name}' counts its days.`
    this.losses.push({ kind: 'rewritten', message, place: metric.place, hint: 'Truncate a field with a time of day.' })
  }

  /** The conditions of the source and of the view. */
  filters(ofSource: string | undefined): readonly Item[] {
    const ofView = this.root.text('filter')
    return [
      ...(ofSource === undefined ? [] : [this.#filter('filter of the source', ofSource, 'source')]),
      ...(ofView === undefined ? [] : [this.#filter('filter of the view', ofView, 'filter')]),
    ]
  }

  #filter(name: string, sql: string, key: string): Item {
    const written = readable(sql, this.parameters)
    const many = [...written.paths].find((path) => this.tree.isMany(path))
    const place = this.root.at(key)
    return {
      ...{ name, key: '', sql: written.sql, type: undefined, description: undefined, synonyms: [] },
      ...{ isPrivate: false, isUnique: false, place, sqlPlace: place },
      odd:
        many === undefined
          ? this.#oddOf({ name: '', written })
          : `it reads '${many.toLowerCase()}', of which there are several rows`,
    }
  }

  #oddOf({ name, written }: Pick<Draft, 'name' | 'written'>): string | undefined {
    if (written.odd !== undefined) return written.odd
    const own = name.toUpperCase()
    const word = [...written.alone].find((each) => each !== own && this.#doubled.has(each))?.toLowerCase()
    if (word === undefined) return undefined
    return `'${word}' is a field, and a column that is another value: write 'source.${word}' for the column, or rename the field`
  }
}

/** Whether an expression is the column with this name. */
const isColumn = (sql: string, key: string): boolean =>
  sql
    .replace(/[\s"`]/g, '')
    .toUpperCase()
    .replace(/^SOURCE\./, '') === key.replace(/\s/g, '')

function itemOf(part: Part, name: string, { sql }: Written): Item {
  const label = part.text('display_name')
  const synonyms = [...(label === undefined || label === name ? [] : [label]), ...part.texts('synonyms')]
  return {
    ...{ name, key: name.toUpperCase(), sql, type: undefined, description: part.text('comment')?.trim() || undefined },
    ...{ synonyms: [...new Set(synonyms)], isPrivate: false, isUnique: false, place: part.place, sqlPlace: part.at('expr') },
  }
}

const NONE: OverFields = { nonAdditive: [], over: undefined, days: undefined }

function attempted(part: Part, fields: ReadonlyMap<string, Field>): { readonly windows: OverFields; readonly odd?: string } {
  try {
    return { windows: windowsOf(part, fields) }
  } catch (error) {
    if (!(error instanceof LeftOut)) throw error
    for (const each of part.parts('window')) for (const key of Object.keys(each.data)) each.value(key)
    return { windows: NONE, odd: error.message }
  }
}
