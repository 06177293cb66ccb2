/** Joins, each below the one that it begins at → tables and relationships. */
import type { Loss } from '@grainline/core'
import {
  LeftOut,
  type Part,
  Refused,
  type Relationship,
  type RelationshipColumn,
  SqlFault,
  type SqlReader,
  type Table,
} from '@grainline/importer-dbt/foreign'
import { readable, spelled } from './sql.js'
import { sourceOf, type TableName } from './table-name.js'

/** A table of the view. The source has no parent. */
interface Node {
  readonly key: string
  readonly name: string
  readonly parent: Node | undefined
  /** The key of the nearest table, itself included, of which there are several rows for a row before it. */
  readonly fan: string
  readonly table: TableName
  readonly uniqueKeys: readonly (readonly string[])[]
  readonly part: Part
}

export class Tree {
  readonly #nodes = new Map<string, Node>()
  readonly relationships: Relationship[] = []
  readonly losses: Loss[] = []

  constructor(
    root: Part,
    table: TableName,
    private readonly sql: SqlReader,
    private readonly parameters: ReadonlySet<string>,
  ) {
    const node: Node = { key: 'SOURCE', name: 'source', parent: undefined, fan: 'SOURCE', table, uniqueKeys: [], part: root }
    this.#nodes.set(node.key, node)
    this.#below(root, node)
  }

  /** Whether there are several rows of a table for a row of the source. */
  isMany(key: string): boolean {
    return (this.#nodes.get(key)?.fan ?? 'SOURCE') !== 'SOURCE'
  }

  /** The table whose rows an aggregate counts that reads these tables: the one of which there are most rows. */
  home(tables: readonly string[]): string | undefined {
    const fans = new Set(tables.map((key) => this.#nodes.get(key)?.fan ?? 'SOURCE'))
    return [...fans, 'SOURCE'].find((fan) => {
      const above = new Set(this.#above(fan))
      return [...fans].every((other) => above.has(other))
    })
  }

  /** The tables, that of the source first. */
  tables(source: Pick<Table, 'dimensions' | 'description'>): readonly Table[] {
    const nodes = [...this.#nodes.values()]
    const joined = nodes.slice(1)
    const taken = new Map<string, number>()
    for (const { name } of joined) taken.set(name.toUpperCase(), (taken.get(name.toUpperCase()) ?? 0) + 1)
    const named = ({ key, name, table, parent }: Node): string => {
      if (!parent) return taken.has(table.code.toUpperCase()) || /[[\]{}]/.test(table.code) ? 'source' : table.code
      return (taken.get(name.toUpperCase()) ?? 0) > 1 ? this.#path(key) : name
    }
    return nodes.map((node) => ({
      ...{ name: named(node), key: node.key, ...node.table, description: undefined, synonyms: [], primaryKey: [] },
      ...{ uniqueKeys: node.uniqueKeys, facts: [], dimensions: [], times: [], metrics: [], filters: [], place: node.part.place },
      ...(node.parent ? {} : source),
    }))
  }

  /** The names of the joins on the way to a table. */
  #path(key: string): string {
    const node = this.#nodes.get(key)
    return node?.parent?.parent ? `${this.#path(node.parent.key)}.${node.name}` : (node?.name ?? key)
  }

  #above(fan: string): readonly string[] {
    const node = this.#nodes.get(fan)
    return node ? [fan, ...(node.parent ? this.#above(node.parent.fan) : [])] : []
  }

  #below(part: Part, parent: Node): void {
    for (const each of part.parts('joins')) {
      const name = each.needed('name')
      try {
        this.#below(each, this.#joined(each, name, parent))
      } catch (error) {
        if (!(error instanceof LeftOut) && !(error instanceof SqlFault)) throw error
        readAll(each)
        const place = error instanceof LeftOut ? (error.place ?? each.place) : each.at('on')
        this.losses.push({
          ...{ kind: 'refused', message: `The join '${name}' is left out, with all that reads it: ${error.message}.`, place },
          ...(error instanceof LeftOut && error.hint !== undefined && { hint: error.hint }),
        })
      }
    }
  }

  #joined(part: Part, name: string, parent: Node): Node {
    if (/[[\]{}.]/.test(name) || name === '__proto__') throw new LeftOut(`'${name}' is no name of a join here`)
    if (name.toUpperCase() === 'SOURCE') throw new LeftOut("the table of the source is called 'source'")
    const key = parent.parent ? `${parent.key}.${name.toUpperCase()}` : name.toUpperCase()
    if (key.length > 1000) throw new LeftOut('it is below too many joins')
    if (this.#nodes.has(key)) throw new LeftOut('another join has its name')
    const cardinality = part.text('cardinality') ?? 'many_to_one'
    if (!CARDINALITIES.has(cardinality)) throw new LeftOut(`'${cardinality}' is no cardinality`, part.at('cardinality'))
    const isMany = cardinality === 'one_to_many'
    if (isMany && parent.fan !== parent.key)
      throw new LeftOut('a one-to-many join from a table that is joined has no rows of the source', part.at('cardinality'))
    const { table, filter } = joinedSource(part)
    if (filter !== undefined) throw new LeftOut('its source is a query', part.at('source'), 'Make a view of it.')
    const columns = this.#columns(part, name, key, parent)
    const isUnique = part.part('rely')?.text('at_most_one_match') === 'true'
    const uniqueKeys = isUnique && !isMany ? [columns.map(({ right }) => right)] : []
    const node = { key, name, parent, fan: isMany ? key : parent.fan, table, uniqueKeys, part }
    this.#nodes.set(key, node)
    this.relationships.push({
      ...{
        name,
        key,
        left: parent.key,
        right: key,
        columns,
        cardinality,
        joinType: undefined,
        odd: undefined,
        place: part.place,
      },
      // Rows of it that belong to no row of the source are no rows of the view.
      ...(isMany && { isRequired: true }),
    })
    return node
  }

  #columns(part: Part, name: string, key: string, parent: Node): readonly RelationshipColumn[] {
    const using = part.texts('using')
    const on = part.text('on')
    if (using.length > 0 && on === undefined) return using.map((each) => ({ left: each, right: each, isAsOf: false }))
    if (on === undefined || using.length > 0) throw new LeftOut("it has not one of 'on' and 'using'")
    const { sql, odd } = readable(on, this.parameters)
    if (odd !== undefined) throw new LeftOut(odd, part.at('on'))
    const words: (readonly string[])[] = []
    const names = (each: readonly string[]) => `{${words.push(each.map((word) => spelled(word, sql))) - 1}}`
    const written = this.sql.expression(sql, { names })
    const pairs = [...written.matchAll(/\(\{(\d+)\} = \{(\d+)\}\)/g)]
    const rest = written.replaceAll(/\(\{\d+\} = \{\d+\}\)/g, '=')
    if (!/^(=|\(=( AND =)+\))$/.test(rest))
      throw new LeftOut('its condition is not that columns are equal', part.at('on'), 'Add the join by hand.')
    return pairs.map(([, one, other]) => {
      const ends = [words[Number(one)] ?? [], words[Number(other)] ?? []].map((each) => endOf(each, name, key, parent))
      const [left, right] = [ends.find(({ isLeft }) => isLeft), ends.find(({ isLeft }) => !isLeft)]
      if (!left || !right) throw new LeftOut('its condition does not compare columns of its two tables', part.at('on'))
      return { left: left.column, right: right.column, isAsOf: false }
    })
  }
}

const CARDINALITIES = new Set(['many_to_one', 'one_to_many'])

/** Which table a column of a condition is of: a name alone is of the table that is joined. */
function endOf(
  words: readonly string[],
  name: string,
  key: string,
  parent: Node,
): { readonly isLeft: boolean; readonly column: string } {
  const [first = '', column] = words
  if (column === undefined) return { isLeft: false, column: first }
  const table = first.toUpperCase()
  if (table === name.toUpperCase() || table === key) return { isLeft: false, column }
  if (table === parent.name.toUpperCase() || table === parent.key) return { isLeft: true, column }
  throw new LeftOut(`'${words.join('.')}' is of neither of its tables`)
}

/** The source of a join; what is no table leaves the join out. */
function joinedSource(part: Part): ReturnType<typeof sourceOf> {
  try {
    return sourceOf(part)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    throw new LeftOut(error.message.replace(/^The/, 'the').replace(/\.$/, ''), error.place, error.hint)
  }
}

/** A join that is left out: its keys are not reported one by one. */
function readAll(part: Part): void {
  for (const key of Object.keys(part.data)) part.value(key)
  part.part('rely')?.text('at_most_one_match')
  for (const each of part.parts('joins')) readAll(each)
}
