import { GrainlineError } from '../errors.js'
import type { Call, Cast } from '../model/expression/ast.js'
import { isInner, isLiteral, leavesOf, replaceNodes, someNode } from '../model/expression/ast.js'
import { typeOf } from '../model/expression/type-of.js'
import { numberedName } from '../resolve/aliases.js'
import { relationColumn } from '../resolve/relation-column.js'
import { includesSame, ValueMap } from '../same.js'
import { mapOrder } from './expressions-of.js'
import { orderByOutput } from './lower-shown-order.js'
import { ExpressionRenderer, type RenderContext } from './render-expression.js'
import { type Select, type SelectItem, type SqlExpr, type SqlLeaf, type Statement, select } from './statement.js'

const COMPUTED = 'computed'
/** No other relation is near, so that columns need no prefix. */
const ALONE = ''

/**
 * The statement in which no item of the answer has the text of a value twice: where the spelling of a function or a cast reads a computed value more
 * than once, the value is a column of a derived table.
 */
export function computedOnce(statement: Statement, context: RenderContext): Statement {
  const { body } = statement
  const made = body.kind === 'select' ? apart(body, context) : { ...body, parts: body.parts.map((part) => apart(part, context)) }
  return { ...statement, body: made }
}

function apart(given: Select, context: RenderContext): Select {
  const reads = new Reads(context)
  const repeated = given.items.filter(({ expression }) => reads.isRepeated(expression))
  // Rows of a DISTINCT differ in the columns that they show.
  if (repeated.length === 0 || given.distinct) return given
  const columns = new Columns(given, context)
  const items = given.items.map((item) =>
    repeated.includes(item) ? { ...item, expression: columns.around(item.expression, reads) } : columns.kept(item),
  )
  const orderBy = mapOrder(given.orderBy, (key) => columns.ordered(key))
  const rows = columns.select()
  if (!rows) return given
  const { limit, offset } = given
  const made = select(items, { kind: 'subquery', query: rows, alias: COMPUTED }, { orderBy, limit, offset })
  return context.dialect.semantics.shownOrder ? made : orderByOutput(made)
}

/** How often the spellings of a dialect read their values. */
class Reads {
  readonly #renderer: ExpressionRenderer

  constructor(private readonly context: RenderContext) {
    this.#renderer = new ExpressionRenderer(context)
  }

  isRepeated(expression: SqlExpr): boolean {
    return isInner<SqlLeaf>(expression) && someNode<SqlLeaf>(expression, (node) => this.of(node).length > 0)
  }

  /** The computed values that the text of a node has more than once. */
  of(node: SqlExpr): readonly SqlExpr[] {
    if (node.kind !== 'call' && node.kind !== 'cast') return []
    const values = valuesOf(node)
    if (!values.some(isComputed) || this.#renderer.isPlainCall(node)) return []
    const { quote } = this.context.dialect
    const probes = values.map((value, at) => (isConstant(value) ? value : this.#probe(value, `probe ${at}`)))
    const text = this.#textOf(withValues(node, probes))
    const isTwice = (part: string): boolean => text.indexOf(part) !== text.lastIndexOf(part)
    return values.filter((value, at) => isComputed(value) && isTwice(quote(`probe ${at}`)))
  }

  /** Empty for what the dialect cannot write: the statement is refused where it is written, at the field of the query. */
  #textOf(node: SqlExpr): string {
    try {
      return this.#renderer.text(node)
    } catch (error) {
      if (error instanceof GrainlineError) return ''
      throw error
    }
  }

  #probe(value: SqlExpr, name: string): SqlExpr {
    return relationColumn('', name, typeIn(value, this.context))
  }
}

/** The columns of the derived table. */
class Columns {
  readonly #columns = new ValueMap<SqlExpr, SqlExpr>()
  #items: readonly SelectItem[] = []
  #isPossible = true

  constructor(
    private readonly given: Select,
    private readonly context: RenderContext,
  ) {}

  /** The item as a column with its name. */
  kept(item: SelectItem): SelectItem {
    this.#items = [...this.#items, item]
    const column = relationColumn(ALONE, item.alias, item.type)
    this.#columns.set(item.expression, column)
    return { ...item, expression: column }
  }

  /** The expression over columns: what its spelling reads more than once is one of them. */
  around(expression: SqlExpr, reads: Reads): SqlExpr {
    return replaceNodes<SqlLeaf>(expression, (node) => {
      if (isConstant(node)) return node
      if (!isInner<SqlLeaf>(node) || includesSame(this.given.groupBy, node)) return this.#column(node)
      if (node.kind !== 'call' && node.kind !== 'cast') return undefined
      const repeated = reads.of(node)
      const made = valuesOf(node).map((value) => (repeated.includes(value) ? this.#column(value) : this.around(value, reads)))
      return withValues(node, made)
    })
  }

  /** A sort key; it may be a column of the answer. */
  ordered(expression: SqlExpr): SqlExpr {
    return replaceNodes<SqlLeaf>(expression, (node) => {
      if (isConstant(node) || node.kind === 'output') return node
      return leavesOf<SqlLeaf>(node).some(({ kind }) => kind === 'output') ? undefined : this.#column(node)
    })
  }

  /** `undefined` if the groups do not have a column that an item reads. */
  select(): Select | undefined {
    return this.#isPossible ? { ...this.given, items: this.#items, orderBy: [], limit: undefined, offset: undefined } : undefined
  }

  #column(expression: SqlExpr): SqlExpr {
    const known = this.#columns.get(expression)
    if (known) return known
    const { groupBy } = this.given
    if (groupBy.length > 0 && expression.kind === 'column' && !includesSame(groupBy, expression)) this.#isPossible = false
    const type = typeIn(expression, this.context)
    const alias = numberedName(
      'value',
      [...this.given.items, ...this.#items].map((item) => ({ name: item.alias })),
    )
    const column = relationColumn(ALONE, alias, type)
    this.#items = [...this.#items, { expression, alias, type }]
    this.#columns.set(expression, column)
    return column
  }
}

/** A value that is written the same wherever it is read. */
const isConstant = (value: SqlExpr): boolean => isLiteral(value) || value.kind === 'parameter'

const isComputed = (value: SqlExpr): boolean => !isConstant(value) && value.kind !== 'column' && value.kind !== 'output'

/** A cast may be spelled together with the test for what it cannot hold. */
const isGuarded = (node: Cast<SqlLeaf>): boolean => node.operand.kind === 'call' && node.operand.name === 'finite'

function valuesOf(node: Call<SqlLeaf> | Cast<SqlLeaf>): readonly SqlExpr[] {
  if (node.kind === 'call') return node.args
  return isGuarded(node) && node.operand.kind === 'call' ? node.operand.args : [node.operand]
}

function withValues(node: Call<SqlLeaf> | Cast<SqlLeaf>, values: readonly SqlExpr[]): SqlExpr {
  if (node.kind === 'call') return { ...node, args: values }
  const [operand = node.operand] = values
  return { ...node, operand: isGuarded(node) && node.operand.kind === 'call' ? { ...node.operand, args: [operand] } : operand }
}

const typeIn = (expression: SqlExpr, { functions }: RenderContext) => typeOf<SqlLeaf>(expression, (leaf) => leaf.type, functions)
