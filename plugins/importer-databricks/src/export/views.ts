/** Which metric views a model is: one for each data object whose rows are measured, with the joins around it. */
import type { SemanticModel } from '@grainline/core'
import { type DataType, type Expr, propagatesNull } from '@grainline/core/language'
import {
  type ColumnRef,
  checkKeys,
  comparisonSql,
  leftOut,
  needFine,
  type Report,
  restricted,
  type SqlSpelling,
  Unsaid,
  writtenSql,
} from '@grainline/importer-dbt/foreign'
import { identifier } from './identifier.js'
import { COLUMN_KEYS, OBJECT_KEYS } from './keys.js'
import type { OutView } from './outline.js'
import { spellingOf } from './spelling.js'
import { type DataObject, type Link, type Linked, linksOf, type Node, treeOf, waysOf } from './tree.js'

type Column = NonNullable<ReturnType<DataObject['columns']['get']>>

/** A metric view, and what its names are. */
export interface Written {
  readonly view: OutView
  readonly source: DataObject
  readonly tree: ReadonlyMap<string, Node>
  /** What dimensions of the model are called in it. */
  readonly fields: Map<string, string>
  /** All its names, in capitals: names there ignore case. */
  readonly taken: Set<string>
  /** The columns of the source, in capitals. */
  readonly codes: ReadonlySet<string>
}

type Path = Report['written'][number]

const MOST_CHARACTERS = 20_000

export class Views {
  readonly all = new Map<string, Written>()
  readonly removed: ReadonlySet<string>
  /** Of all views. */
  tables = 0
  readonly #objects = new Map<string, DataObject>()
  readonly #links = new Map<string, readonly Link[]>()
  readonly #reading = new Set<Column>()
  /** The items of which a line says that they look for a row. */
  readonly #guarded = new Set<string>()

  constructor(
    readonly model: SemanticModel,
    readonly report: Report,
  ) {
    this.removed = restricted(model)
  }

  /** Each step reads an object. */
  *objects(): Generator<void> {
    const { model, report } = this
    for (const object of model.dataObjects.values()) {
      const path = ['dataObjects', object.name]
      const entry = model.document.dataObjects?.[object.name] ?? {}
      yield void report.attempt(path, `The data object '${object.name}'`, () => {
        checkKeys(entry, OBJECT_KEYS)
        const { source } = object
        if (source.kind !== 'table')
          throw new Unsaid('it is a query, and no table', 'Create a view with this query in the database.')
        if (source.database !== undefined && source.schema === undefined) throw new Unsaid('it has a database, and no schema')
        this.#objects.set(object.name, object)
        report.inert(path, entry, OBJECT_KEYS)
      })
    }
    for (const object of this.#objects.values()) {
      this.#links.set(object.name, linksOf(object, this.#objects, model))
      yield
    }
  }

  get linked(): Linked {
    return { model: this.model, objects: this.#objects, links: this.#links }
  }

  /** Adds the view of a source. `many`: the objects whose rows are measured beside its own. */
  add(source: DataObject, many: readonly DataObject[]): void {
    const tree = treeOf(source, this.linked, many)
    this.tables += tree.size
    const codes = [...source.columns.values()].flatMap(({ source: from }) =>
      from.kind === 'physical' ? [from.code.toUpperCase()] : [],
    )
    this.all.set(source.name, {
      view: { home: source.name, description: this.model.description, filters: [], dimensions: [], measures: [] },
      ...{ source, tree, fields: new Map(), taken: new Set(), codes: new Set(codes) },
    })
  }

  /** The view in which the rows of an object are counted. Throws `Unsaid`. */
  of(home: string): Written {
    // What a table with many rows leads to is there several times, too: only its own rows are counted once.
    const found = [...this.all.values()].find(
      ({ source, tree }) => source.name === home || tree.get(home)?.link?.join.required === true,
    )
    if (found) return found
    if (!this.#objects.has(home)) throw leftOut(`the data object '${home}'`)
    if (this.removed.has(home)) throw new Unsaid('a required join removes rows of its table')
    throw new Unsaid(`no metric view has the rows of '${home}'`)
  }

  /** How the rows of an object are read in a view, by the item with this path. */
  spelling(written: Written, home: string, path: Path): SqlSpelling<ColumnRef> {
    const { source, tree } = written
    const node = tree.get(home)
    const ways = node?.isMany === true ? waysOf(node.object, this.model) : undefined
    const spelling: SqlSpelling<ColumnRef> = {
      ...spellingOf(this.model.settings.weekStart),
      typeOf: ({ object, column }) => this.model.dataObjects.get(object)?.columns.get(column)?.type,
      leaf: (leaf) => {
        const found = tree.get(leaf.object)
        const isReached = ways ? leaf.object === home || ways.get(leaf.object) === 1 : found?.isMany === false
        if (!found || !isReached || (found.isMany && found.path[0] !== node?.path[0]))
          throw new Unsaid(`no joins that are said lead from '${source.name}' to '${leaf.object}' in one way`)
        return this.#column(leaf, found, spelling, path)
      },
    }
    return spelling
  }

  /** A name that is free in a view; from then on it is taken. */
  take(written: Written, name: string, isFree: (key: string) => boolean, path: readonly string[]): string {
    let free = name
    for (let at = 2; written.taken.has(free.toUpperCase()) || !isFree(free.toUpperCase()); at++) free = `${name} (${at})`
    written.taken.add(free.toUpperCase())
    if (free !== name)
      this.report.lose(
        'rewritten',
        path,
        `'${name}' is called '${free}' beside '${written.source.name}': another field or column has this name, and case is ignored there.`,
      )
    return free
  }

  /** The value of a row that may be missing is NULL, also where its expression has a value for NULLs. */
  whereTheRowIs<L extends { readonly kind: string }>(
    node: Node | undefined,
    expression: Expr<L>,
    sql: string,
    path: Path,
  ): string {
    const key = node && keyOf(node)
    if (key === undefined || propagatesNull(expression)) return sql
    const item = JSON.stringify(path)
    if (!this.#guarded.has(item))
      this.report.lose(
        'rewritten',
        path,
        `A row without one of '${node?.object.name ?? ''}' has no value here, and its expression says so there.`,
      )
    this.#guarded.add(item)
    return `CASE WHEN (${key} IS NOT NULL) THEN ${sql} END`
  }

  #column({ object, column }: ColumnRef, node: Node, spelling: SqlSpelling<ColumnRef>, path: Path): string {
    const found = node.object.columns.get(column)
    if (!found || this.#reading.has(found)) throw new Unsaid(`the column '${object}.${column}' reads itself`)
    this.#reading.add(found)
    try {
      checkKeys(this.model.document.dataObjects?.[object]?.columns?.[column] ?? {}, COLUMN_KEYS)
      needFine(found)
      const value = columnSql(found, node, spelling)
      const { source } = found
      const sql = source.kind === 'expression' ? this.whereTheRowIs(node, source.expression, value, path) : value
      // An expression of expressions grows with each of them.
      if (sql.length > MOST_CHARACTERS) throw new Unsaid('its expression would be too long')
      return sql
    } finally {
      this.#reading.delete(found)
    }
  }
}

/** A column that each row of a joined table has. The source is not joined. */
function keyOf({ path, link }: Node): string | undefined {
  const [pair] = link?.pairs ?? []
  const code = link?.join.required ? pair?.from : pair?.to
  return code === undefined ? undefined : [...path, code].map(identifier).join('.')
}

function columnSql({ source, trueValues }: Column, { path }: Node, spelling: SqlSpelling<ColumnRef>): string {
  if (source.kind === 'expression') return writtenSql(source.expression, spelling)
  if (source.kind !== 'physical') throw new Unsaid('it is computed from other rows')
  const code = [...path, source.code].map(identifier).join('.')
  if (!trueValues) return code
  const of: DataType = { kind: trueValues.every((value) => typeof value === 'number') ? 'int' : 'string' }
  return comparisonSql(code, of, { operator: 'in', values: trueValues }, spelling)
}
