import { type Relation, relationsIn } from './relations-in.js'
import { renamed, renamedIn } from './renamed.js'
import type { Among, From, Query, Select, Statement } from './statement.js'

/**
 * The statement with names of relations that are unique in their scope. Until here each is unique in the whole statement, so that rewrites need
 * not look at scopes: `customers_2` reads the second time from the table that `customers` reads. Law: each column is read from the same relation
 * as before, because no relation gets the name of another one that its SELECT, or one around it, can read.
 */
export function plainNames(statement: Statement): Statement {
  const { ctes, body } = statement
  const tables = new Set(ctes.map(({ name }) => name))
  const relations = [...ctes.map(({ query }) => query), body].flatMap(relationsIn)
  const all = new Set([...tables, ...relations.map(({ alias }) => alias)])
  const naming = new Naming(all, tables, new Set(relations.flatMap(arrayOf).map(lower)))
  if (!relations.some(({ alias }) => naming.plain(alias) !== undefined)) return statement
  return {
    ...statement,
    ctes: ctes.map((table) => ({ ...table, query: naming.query(table.query, NONE) })),
    body: naming.query(body, NONE),
  }
}

/** The new names of the relations that a SELECT can read, by the old ones. */
type Names = ReadonlyMap<string, string>
const NONE: Names = new Map()

class Naming {
  constructor(
    private readonly all: ReadonlySet<string>,
    private readonly tables: ReadonlySet<string>,
    /** Columns with arrays of records: some engines read `items.sku` as a field of such a column, even if a relation has its name. */
    private readonly arrays: ReadonlySet<string>,
  ) {}

  query(query: Query, around: Names): Query {
    return query.kind === 'select'
      ? this.#select(query, around)
      : { ...query, parts: query.parts.map((part) => this.#select(part, around)) }
  }

  #select(select: Select, around: Names): Select {
    const names = this.#named(select, around)
    const { among, found } = select
    return {
      ...(differ(names) ? renamedIn(select, names) : select),
      from: this.#from(select.from, names),
      ...(among && { among: among.map((one) => this.#among(one, names)) }),
      ...(found && { found: found.map((one) => ({ ...one, query: this.#select(one.query, names) })) }),
    }
  }

  #among({ key, query }: Among, names: Names): Among {
    return { key: renamed(key, names), query: this.#select(query, names) }
  }

  #from(from: From, names: Names): From {
    switch (from.kind) {
      case 'nothing':
        return from
      case 'join':
        return {
          ...from,
          left: this.#from(from.left, names),
          right: this.#from(from.right, names),
          on: from.on && (differ(names) ? renamed(from.on, names) : from.on),
          ...(from.among && { among: from.among.map((one) => this.#among(one, names)) }),
        }
      case 'subquery':
        return { ...from, query: this.query(from.query, names), alias: nameIn(names, from.alias) }
      default:
        return { ...from, alias: nameIn(names, from.alias) }
    }
  }

  /** The relations of a SELECT get their plain names, unless one here, around or below has that name. */
  #named(select: Select, around: Names): Names {
    const names = new Map(around)
    const taken = new Set([...around.values(), ...aliasesIn(select), ...this.tables].map(lower))
    for (const alias of aliasesOf(select.from)) {
      const plain = this.plain(alias)
      const name = plain === undefined || taken.has(lower(plain)) || this.arrays.has(lower(plain)) ? alias : plain
      taken.add(lower(name))
      names.set(alias, name)
    }
    return names
  }

  /** The name without its number, if the number was given because another relation has the name. */
  plain(alias: string): string | undefined {
    const plain = /^(.+)_\d+$/.exec(alias)?.[1]
    return plain !== undefined && this.all.has(plain) && !this.tables.has(alias) ? plain : undefined
  }
}

/** Most relations keep their names. */
function differ(names: Names): boolean {
  for (const [alias, name] of names) if (alias !== name) return true
  return false
}

const nameIn = (names: Names, alias: string): string => names.get(alias) ?? alias
const lower = (name: string): string => name.toLowerCase()

function aliasesOf(from: From): readonly string[] {
  if (from.kind === 'join') return [...aliasesOf(from.left), ...aliasesOf(from.right)]
  return from.kind === 'nothing' ? [] : [from.alias]
}

const aliasesIn = (query: Query): readonly string[] => relationsIn(query).map(({ alias }) => alias)

const arrayOf = (one: Relation): readonly string[] => (one.kind === 'table' && one.elements ? [one.elements.array] : [])
