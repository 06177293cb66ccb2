import { replaceNodes } from '../model/expression/ast.js'
import { typeOf } from '../model/expression/type-of.js'
import { freeName } from '../resolve/aliases.js'
import { relationColumn } from '../resolve/relation-column.js'
import { ValueMap } from '../same.js'
import { mapOperands, mapOrder } from './expressions-of.js'
import { mapSelects } from './map-selects.js'
import { relationsIn } from './relations-in.js'
import type { RenderContext } from './render-expression.js'
import { type RepeatedValues, repeatedValues } from './repeated-values.js'
import { type From, type Select, type SqlExpr, type SqlLeaf, type Statement, select } from './statement.js'

type Functions = RenderContext['functions']

const NAMED = 'named'

/**
 * The statement whose SELECTs write a long value once: a value that stands several times in their expressions is a column of a derived table. The start of a
 * retail period writes its day six times, and the start of a period that a moved day falls in has six copies of the move: some engines parse such a
 * text for minutes. Law: the derived table has the rows of the SELECT before it groups, and its column has the value that stood there.
 */
export function namedValues(statement: Statement, { functions }: Pick<RenderContext, 'functions'>): Statement {
  const naming = new Naming(functions, statement)
  return mapSelects(statement, (given) => naming.select(given))
}

class Naming {
  /** Names of relations, once one is looked for: most statements have no long value. */
  #taken: readonly { readonly name: string }[] | undefined

  constructor(
    private readonly functions: Functions,
    private readonly statement: Statement,
  ) {}

  select(given: Select): Select {
    const { from, items, groupBy, having, orderBy, where, among, found, ...rest } = given
    // Keys of groups are written as positions.
    const { values, highest } = repeatedValues([...items, ...orderBy].map(({ expression }) => expression).concat(having))
    if (highest === 0) return given
    const over = this.#columns(values)
    const shown: Select = {
      ...rest,
      items: items.map((item) => ({ ...item, expression: over.read(item.expression) })),
      groupBy: groupBy.map(over.read),
      having: having.map(over.read),
      orderBy: mapOrder(orderBy, over.read),
      where: [],
      from,
    }
    const rows = { where, ...(among && { among }), ...(found && { found }) }
    return { ...shown, from: this.#rows(over, values, highest, select([], from, rows)) }
  }

  /** The table that has the columns, out of the rows of a SELECT: each layer of values reads the ones below. */
  #rows({ columns, alias }: Columns, values: RepeatedValues, layer: number, rows: Select): From {
    if (layer === 1) return { kind: 'subquery', query: { ...rows, items: columns }, alias }
    const below = this.#columns(values)
    const items = columns.map((item) => {
      const isOfLayer = values.get(item.expression) === layer
      return { ...item, expression: isOfLayer ? below.within(item.expression) : below.read(item.expression) }
    })
    return { kind: 'subquery', query: select(items, this.#rows(below, values, layer - 1, rows)), alias }
  }

  #columns(values: RepeatedValues): Columns {
    const taken = this.#taken ?? relationsOf(this.statement)
    const alias = freeName(NAMED, taken)
    this.#taken = [...taken, { name: alias }]
    return new Columns(values, alias, this.functions)
  }
}

const relationsOf = ({ ctes, body }: Statement): readonly { readonly name: string }[] => [
  ...ctes.map(({ name }) => ({ name })),
  ...[...ctes.map(({ query }) => query), body].flatMap(relationsIn).map(({ alias }) => ({ name: alias })),
]

/** The columns of a derived table that the expressions over it read. */
class Columns {
  columns: Select['items'] = []
  readonly #known = new ValueMap<SqlExpr, SqlExpr>()

  constructor(
    private readonly values: RepeatedValues,
    readonly alias: string,
    private readonly functions: Functions,
  ) {}

  /** The expression over columns of the table: its values with names, and columns. */
  readonly read = (expression: SqlExpr): SqlExpr =>
    replaceNodes<SqlLeaf>(expression, (node) => {
      const known = this.#known.get(node)
      if (known) return known
      switch (node.kind) {
        case 'column':
          return this.#add(node, node.name)
        case 'aggregate':
        case 'window':
          return mapOperands(node, this.read)
        default:
          return this.values.get(node) === undefined ? undefined : this.#add(node, 'value')
      }
    })

  /** A value with a name, computed here. */
  within(value: SqlExpr): SqlExpr {
    return replaceNodes<SqlLeaf>(value, (node) => (node === value ? undefined : this.read(node)))
  }

  #add(expression: SqlExpr, name: string): SqlExpr {
    const type = typeOf<SqlLeaf>(expression, (leaf) => leaf.type, this.functions)
    const alias = freeName(
      name,
      this.columns.map((column) => ({ name: column.alias })),
    )
    const column = relationColumn(this.alias, alias, type)
    this.columns = [...this.columns, { expression, alias, type }]
    this.#known.set(expression, column)
    return column
  }
}
