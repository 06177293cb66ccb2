/** The contents of a statement as the parser of DuckDB sees it; this file shares no code with our SQL writer. */
import type { DuckDBConnection } from '@duckdb/node-api'

export interface StatementShape {
  readonly selects: number
  readonly ctes: number
  /** How often each table of the database is read. */
  readonly scans: number
  /** Names of common table expressions that are not read. */
  readonly unusedCtes: readonly string[]
  /** `relation.column` for every column of a common table expression or a derived table that is not read. */
  readonly unusedColumns: readonly string[]
}

export async function shapeOf(connection: DuckDBConnection, sql: string): Promise<StatementShape> {
  const reader = await connection.runAndReadAll(
    `SELECT json_serialize_sql('${sql.replaceAll("'", "''")}', skip_null := true, skip_empty := true)`,
  )
  const parsed = JSON.parse(String(reader.getRows()[0]?.[0])) as Parsed
  if (parsed.error) throw new Error(`${parsed.error_message}:\n${sql}`)
  const statement = new Reading()
  for (const { node } of parsed.statements) statement.query(node, { ctes: new Map(), tables: [] })
  return statement.shape()
}

interface Parsed {
  readonly error: boolean
  readonly error_message?: string
  readonly statements: readonly { readonly node: Tree }[]
}

/** A node of the parser's tree; its fields depend on its kind. */
interface Tree {
  readonly [field: string]: unknown
}

/** The columns of a common table expression or a derived table. */
interface Relation {
  readonly name: string
  readonly columns: readonly string[]
  /** Columns that determine the rows, such as those of DISTINCT, and so count as read. */
  readonly essential: ReadonlySet<string>
  readonly read: Set<string>
  scanned: boolean
}

interface Scope {
  readonly ctes: ReadonlyMap<string, Relation>
  /** Tables by alias, of this SELECT and of the enclosing ones, the nearest first; those of the database are `undefined`. */
  readonly tables: readonly ReadonlyMap<string, Relation | undefined>[]
}

class Reading {
  readonly #relations: Relation[] = []
  readonly #ctes: Relation[] = []
  #selects = 0
  #scans = 0

  query(node: Tree, around: Scope): void {
    const scope = { ...around, ctes: this.#withCtes(node, around) }
    if (node['type'] === 'SET_OPERATION_NODE') {
      for (const part of partsOf(node)) this.query(part, scope)
      return
    }
    this.#selects++
    const tables = new Map<string, Relation | undefined>()
    const inner = { ctes: scope.ctes, tables: [tables, ...scope.tables] }
    const { from_table: from, cte_map: _read, ...rest } = node
    if (from) this.#from(from as Tree, tables, inner)
    this.#walk(rest, inner)
  }

  shape(): StatementShape {
    return {
      selects: this.#selects,
      ctes: this.#ctes.length,
      scans: this.#scans,
      unusedCtes: this.#ctes.filter((cte) => !cte.scanned).map((cte) => cte.name),
      unusedColumns: this.#relations.flatMap(({ name, columns, essential, read }) =>
        columns.filter((column) => !read.has(column) && !essential.has(column)).map((column) => `${name}.${column}`),
      ),
    }
  }

  #withCtes(node: Tree, around: Scope): Scope['ctes'] {
    const ctes = new Map(around.ctes)
    for (const { key, value } of (node['cte_map'] as { readonly map?: readonly CteEntry[] } | undefined)?.map ?? []) {
      this.query(value.query.node, { ctes, tables: around.tables })
      const relation = this.#relation(key, value.query.node)
      this.#ctes.push(relation)
      ctes.set(key, relation)
    }
    return ctes
  }

  #relation(name: string, node: Tree): Relation {
    const relation = { name, columns: columnsOf(node), essential: essentialOf(node), read: new Set<string>(), scanned: false }
    this.#relations.push(relation)
    return relation
  }

  #from(node: Tree, tables: Map<string, Relation | undefined>, scope: Scope): void {
    switch (node['type']) {
      case 'BASE_TABLE': {
        const name = String(node['table_name'])
        const cte = node['schema_name'] ? undefined : scope.ctes.get(name)
        if (cte) cte.scanned = true
        else this.#scans++
        tables.set(String(node['alias'] || name), cte)
        return
      }
      case 'SUBQUERY': {
        const query = (node['subquery'] as { readonly node: Tree }).node
        this.query(query, { ctes: scope.ctes, tables: scope.tables.slice(1) })
        const alias = String(node['alias'])
        tables.set(alias, this.#relation(alias, query))
        return
      }
      case 'JOIN':
        this.#from(node['left'] as Tree, tables, scope)
        this.#from(node['right'] as Tree, tables, scope)
        this.#walk(node['condition'], scope)
        return
      case 'EMPTY':
        return
      default:
        throw new Error(`${String(node['type'])} in FROM is not known to this reader`)
    }
  }

  #walk(node: unknown, scope: Scope): void {
    if (typeof node !== 'object' || node === null) return
    const tree = node as Tree
    if (tree['class'] === 'STAR') throw new Error('a star hides which columns are read')
    if (tree['class'] === 'COLUMN_REF') this.#column(tree['column_names'] as readonly string[], scope)
    for (const [field, value] of Object.entries(tree)) {
      if (field === 'subquery') this.query((value as { readonly node: Tree }).node, scope)
      else this.#walk(value, scope)
    }
  }

  /** A SELECT from one derived table need not say whose its columns are. */
  #onlyRelation({ tables: [own] }: Scope): Relation | undefined {
    const [only, ...others] = own?.values() ?? []
    return others.length === 0 ? only : undefined
  }

  /** In ORDER BY, a name without a table is a column of the answer. */
  #column(names: readonly string[], scope: Scope): void {
    const [column, table] = names.toReversed()
    if (column === undefined) return
    if (table === undefined) {
      this.#onlyRelation(scope)?.read.add(column)
      return
    }
    const tables = scope.tables.find((one) => one.has(table))
    if (!tables) throw new Error(`nothing is called "${table}" where "${table}"."${column}" is read`)
    const relation = tables.get(table)
    if (relation && !relation.columns.includes(column)) throw new Error(`"${table}" has no column "${column}"`)
    relation?.read.add(column)
  }
}

interface CteEntry {
  readonly key: string
  readonly value: { readonly query: { readonly node: Tree } }
}

const partsOf = (node: Tree): readonly Tree[] =>
  (node['children'] as readonly Tree[] | undefined) ?? [node['left'] as Tree, node['right'] as Tree]

/** A set operation takes its column names from its first part. */
function columnsOf(node: Tree): readonly string[] {
  if (node['type'] === 'SET_OPERATION_NODE') return columnsOf(partsOf(node)[0]!)
  return (node['select_list'] as readonly Tree[]).map((item) =>
    String(item['alias'] || (item['column_names'] as string[])?.at(-1)),
  )
}

/** The columns that DISTINCT compares, and those that GROUP BY names by position. */
function essentialOf(node: Tree): ReadonlySet<string> {
  const columns = columnsOf(node)
  const modifiers = (node['modifiers'] as readonly Tree[] | undefined) ?? []
  if (modifiers.some(({ type }) => type === 'DISTINCT_MODIFIER')) return new Set(columns)
  const positions = ((node['group_expressions'] as readonly Tree[] | undefined) ?? []).flatMap((group) => {
    const value = (group['value'] as { readonly value?: unknown } | undefined)?.value
    return typeof value === 'number' ? [value] : []
  })
  return new Set(positions.map((position) => columns[position - 1]!))
}
