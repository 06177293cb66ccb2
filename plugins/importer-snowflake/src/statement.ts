/** CREATE SEMANTIC VIEW as records. */
import type { Loss } from '@grainline/core'
import {
  type Item,
  type Metric,
  type Place,
  placeKey,
  Refused,
  type Relationship,
  type RelationshipColumn,
  type Table,
  type View,
} from '@grainline/importer-dbt/foreign'
import { Cursor } from './cursor.js'
import { tokensOf } from './tokens.js'
import { folded, namedAs, plain } from './view.js'

export interface Statement {
  readonly view: View
  /** Clauses that are not in the records. */
  readonly losses: readonly Loss[]
  /** Where the item begins that contains a place. */
  readonly around: (place: Place) => readonly Place[]
}

export const STATEMENT = /^ *create +(?:or +replace +)?semantic +view\b/im

export function statementOf(text: string): Statement {
  const tokens = tokensOf(text)
  if (tokens.length === 0) throw new Refused('The text is empty.', { line: 1, column: 1 })
  return new Reader(new Cursor(tokens, text)).read()
}

/** A table whose fields come in later clauses. */
interface Fields {
  readonly table: Table
  readonly facts: Item[]
  readonly dimensions: Item[]
  readonly metrics: Metric[]
}

class Reader {
  readonly #tables = new Map<string, Fields>()
  readonly #relationships: Relationship[] = []
  readonly #metrics: Metric[] = []
  readonly #losses: Loss[] = []
  readonly #around = new Map<string, readonly Place[]>()

  constructor(private readonly cursor: Cursor) {}

  read(): Statement {
    const { cursor } = this
    cursor.need('CREATE')
    cursor.take('OR', 'REPLACE')
    cursor.need('SEMANTIC', 'VIEW')
    cursor.take('IF', 'NOT', 'EXISTS')
    const name = plain(cursor.path().at(-1) ?? '')
    // Snowflake has no AS here; the extension of DuckDB for semantic views does.
    cursor.take('AS')
    let description: string | undefined
    while (!cursor.isAtEnd && !cursor.take(';')) description = this.#clause() ?? description
    if (!cursor.isAtEnd) throw cursor.fault('The end of the statement is expected')
    if (this.#tables.size === 0) throw new Refused('The text declares no table.', { line: 1, column: 1 }, 'Add TABLES.')
    const tables = [...this.#tables.values()].map(({ table, ...fields }) => ({ ...table, ...fields }))
    const view = { name, description, tables, relationships: this.#relationships, metrics: this.#metrics, queries: [] }
    return { view, losses: this.#losses, around: (place) => this.#around.get(placeKey(place)) ?? [] }
  }

  /** Reads a clause. Returns the comment of the view. */
  #clause(): string | undefined {
    const { cursor } = this
    if (cursor.take('TABLES')) for (const item of cursor.items()) this.#table(item)
    else if (cursor.take('RELATIONSHIPS')) for (const item of cursor.items()) this.#relationship(item)
    else if (cursor.take('FACTS')) for (const item of cursor.items()) this.#field(item, 'facts')
    else if (cursor.take('DIMENSIONS')) for (const item of cursor.items()) this.#field(item, 'dimensions')
    else if (cursor.take('METRICS')) for (const item of cursor.items()) this.#metric(item)
    else if (cursor.take('COMMENT', '=')) return cursor.string()
    else this.#other()
    return undefined
  }

  #other(): void {
    const { cursor } = this
    const { place } = cursor
    const inert = (what: string) => this.#lose('inert', `${what} is not in the model: it says nothing about numbers here.`, place)
    if (cursor.take('COPY', 'GRANTS')) inert('COPY GRANTS')
    else if (cursor.is('AI_SQL_GENERATION') || cursor.is('AI_QUESTION_CATEGORIZATION')) {
      inert(cursor.name())
      cursor.string()
    } else if (cursor.take('AI_VERIFIED_QUERIES')) {
      cursor.items()
      inert('AI_VERIFIED_QUERIES')
    } else if (cursor.is('VARIABLES'))
      throw new Refused('VARIABLES have no place in the model.', place, 'Write their values into the expressions.')
    else throw cursor.fault('A clause is expected')
  }

  #lose(kind: Loss['kind'], message: string, place: Place, isSecurity = false): void {
    this.#losses.push({ kind, message, place, ...(isSecurity && { isSecurity }) })
  }

  #table(item: Cursor): void {
    const { place } = item
    const first = item.path()
    const path = item.take('AS') ? item.path() : first
    const { name, key } = namedAs(first.at(-1) ?? '')
    const primaryKey = item.take('PRIMARY', 'KEY') ? namesIn(item) : []
    const uniqueKeys: (readonly string[])[] = []
    while (item.take('UNIQUE')) uniqueKeys.push(namesIn(item))
    if (item.take('CONSTRAINT')) this.#range(item)
    const [code = '', schema, database] = path.map(folded).toReversed()
    const notes = this.#notes(item, place)
    if (this.#tables.has(key)) throw new Refused(`There are two tables '${name}'.`, place, 'Rename one of them.')
    const table: Table = {
      ...{ name, key, code, schema, database, ...notes, primaryKey, uniqueKeys, place },
      ...{ facts: [], dimensions: [], times: [], metrics: [], filters: [] },
    }
    this.#tables.set(key, { table, facts: [], dimensions: [], metrics: [] })
  }

  /** It promises that periods do not overlap, which `verify` tests. */
  #range(item: Cursor): void {
    if (!item.is('DISTINCT')) item.name()
    item.need('DISTINCT', 'RANGE', 'BETWEEN')
    item.name()
    item.need('AND')
    item.name()
    item.need('EXCLUSIVE')
  }

  #relationship(item: Cursor): void {
    const { place } = item
    const first = item.name()
    const isNamed = item.take('AS')
    const left = isNamed ? item.name() : first
    const lefts = namesIn(item)
    item.need('REFERENCES')
    const right = item.name()
    const rights = item.is('(') ? item.items().map(target) : this.#keyOf(right)
    if (!item.isAtEnd) throw item.fault('The end of the relationship is expected')
    if (rights.length !== lefts.length) throw new Refused('A relationship has as many columns on both sides.', place)
    this.#relationships.push({
      ...namedAs(isNamed ? first : `${plain(left)} to ${plain(right)}`),
      ...{ left, right, cardinality: undefined, joinType: undefined, odd: undefined, place },
      columns: rights.map((each, at) => ({ ...each, left: lefts[at] ?? '' })),
    })
  }

  #keyOf(name: string): readonly Omit<RelationshipColumn, 'left'>[] {
    return (this.#tables.get(folded(name))?.table.primaryKey ?? []).map((right) => ({ right, isAsOf: false }))
  }

  #field(item: Cursor, kind: 'facts' | 'dimensions'): void {
    const { place } = item
    const isPrivate = item.take('PRIVATE')
    item.take('PUBLIC')
    const [table = '', name, ...more] = item.path()
    const owner = this.#tables.get(folded(table))
    if (!owner || name === undefined || more.length > 0)
      throw new Refused('The name of a field is that of a table, a point and its own.', place)
    item.need('AS')
    owner[kind].push({ ...namedAs(name), isPrivate, place, ...this.#body(item, place) })
  }

  #metric(item: Cursor): void {
    const { place } = item
    const isPrivate = item.take('PRIVATE')
    item.take('PUBLIC')
    const path = item.path()
    const owner = path.length === 2 ? this.#tables.get(folded(path[0] ?? '')) : undefined
    if (path.length > 2 || (path.length === 2 && !owner)) throw new Refused(`There is no table '${path[0]}'.`, place)
    const relationships = item.take('USING') ? namesIn(item) : []
    const nonAdditive = item.take('NON', 'ADDITIVE', 'BY') ? item.items().map(nonAdditiveOf) : []
    for (const each of nonAdditive) this.#inside(each.place, place)
    item.need('AS')
    const metric: Metric = {
      ...namedAs(path.at(-1) ?? ''),
      isPrivate,
      place,
      ...this.#body(item, place),
      relationships,
      nonAdditive,
    }
    const metrics = owner?.metrics ?? this.#metrics
    metrics.push(metric)
  }

  /** What an item contains is about this item. */
  #inside(place: Place, start: Place): Place {
    if (placeKey(place) !== placeKey(start)) this.#around.set(placeKey(place), [start])
    return place
  }

  #body(item: Cursor, start: Place): Pick<Item, 'sql' | 'sqlPlace' | 'type' | 'isUnique' | 'description' | 'synonyms'> {
    const { sql, place } = item.expression(() => item.is('COMMENT', '=') || WITH.some((word) => item.is('WITH', word)))
    this.#inside(place, start)
    return { sql, sqlPlace: place, type: undefined, isUnique: false, ...this.#notes(item, start) }
  }

  /** What follows a table or an expression, to its end. */
  #notes(item: Cursor, start: Place): Pick<Item, 'description' | 'synonyms'> {
    let description: string | undefined
    let synonyms: readonly string[] = []
    while (!item.isAtEnd) {
      const place = this.#inside(item.place, start)
      if (item.take('COMMENT', '=')) description = item.string()
      else if (item.take('WITH', 'SYNONYMS')) {
        item.take('=')
        synonyms = item.items().map((each) => each.string())
      } else if (item.take('WITH', 'TAG') || item.take('TAG')) {
        item.items()
        this.#lose('inert', 'TAG is not in the model: it says nothing about numbers here.', place)
      } else if (item.take('WITH', 'CORTEX', 'SEARCH', 'SERVICE')) {
        item.path()
        if (item.take('USING')) item.name()
        this.#lose('inert', 'CORTEX SEARCH SERVICE is not in the model: it says nothing about numbers here.', place)
      } else if (item.is('WITH', 'MASKING', 'POLICY') || item.is('WITH', 'ROW', 'ACCESS', 'POLICY')) {
        this.#lose('refused', 'A policy is left out: it decides who sees what.', place, true)
        item.expression(() => false)
      } else throw item.fault('COMMENT or WITH SYNONYMS is expected')
    }
    return { description, synonyms }
  }
}

const WITH = ['SYNONYMS', 'TAG', 'CORTEX', 'MASKING', 'ROW']

const namesIn = (item: Cursor): readonly string[] => item.items().map((each) => each.name())

function target(item: Cursor): Omit<RelationshipColumn, 'left'> {
  if (!item.take('BETWEEN')) return { isAsOf: item.take('ASOF'), right: item.name() }
  const right = item.name()
  item.need('AND')
  const until = item.name()
  item.need('EXCLUSIVE')
  return { right, until, isAsOf: false }
}

function nonAdditiveOf(item: Cursor): Metric['nonAdditive'][number] {
  const { place } = item
  const path = item.path()
  const isDescending = item.take('DESC')
  item.take('ASC')
  const nulls = item.take('NULLS') ? item.name() : undefined
  if (!item.isAtEnd) throw item.fault('The end of the dimension is expected')
  return { table: path.length > 1 ? path[0] : undefined, dimension: path.at(-1) ?? '', isDescending, nulls, place }
}
