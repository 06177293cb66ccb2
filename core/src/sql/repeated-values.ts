import { isInner, operandsOf } from '../model/expression/ast.js'
import { ValueMap } from '../same.js'
import { operandsOf as operandsOfCall } from './expressions-of.js'
import type { SqlExpr, SqlLeaf } from './statement.js'

/** Expressions with fewer nodes in all, half a page of text, are left alone. */
const MANY_NODES = 200
/** A value gets a name if the text has at least so many nodes less. */
const WORTH_NODES = 80

/** Values that get a name, each with its layer: those of a higher layer read those of lower ones. */
export type RepeatedValues = ValueMap<SqlExpr, number>

/** A value, once, however often it is written. */
interface Value {
  readonly expression: SqlExpr
  readonly parts: readonly { readonly value: Value; readonly isBehind: boolean }[]
  /** Nodes of its whole text. */
  readonly nodes: number
  /** Whether it is computed of one row, and reads a column of it. */
  readonly isOfRows: boolean
  /** Whether it is computed for each row in any case. */
  isCertain: boolean
  /** How often it is written. */
  written: number
}

/**
 * The long values that expressions over the same rows write several times. A value that stands only behind a condition (`CASE`, `COALESCE`,
 * `AND`, `OR`) is none of them: it would be computed also where it has no value. `highest` is the layer of the last ones, 0 if there are none.
 */
export function repeatedValues(expressions: readonly SqlExpr[]): { readonly values: RepeatedValues; readonly highest: number } {
  const values: RepeatedValues = new ValueMap()
  if (isShort(expressions)) return { values, highest: 0 }
  const all = new Values()
  for (const expression of expressions) {
    const root = all.of(expression)
    root.written++
    root.isCertain = true
  }
  // Each value is behind its parts.
  for (const value of all.inOrder.toReversed()) spread(value)
  let highest = 0
  const layers = new Map<Value, Layer>()
  for (const value of all.inOrder) {
    const layer = layerOf(value, layers)
    layers.set(value, layer)
    if (!layer.isNamed) continue
    values.set(value.expression, layer.at)
    highest = Math.max(highest, layer.at)
  }
  return { values, highest }
}

interface Layer {
  readonly at: number
  /** Nodes of its text, in which each value with a name is one. */
  readonly nodes: number
  readonly isNamed: boolean
}

function layerOf(value: Value, layers: ReadonlyMap<Value, Layer>): Layer {
  const parts = value.parts.flatMap((part) => layers.get(part.value) ?? [])
  const nodes = parts.reduce((sum, part) => sum + (part.isNamed ? 1 : part.nodes), 1)
  const below = Math.max(0, ...parts.map((part) => part.at))
  const isNamed = isNameable(value) && nodes * (value.written - 1) >= WORTH_NODES
  return { at: isNamed ? below + 1 : below, nodes, isNamed }
}

const isNameable = (value: Value): boolean => value.isCertain && value.isOfRows && value.parts.length > 0

/** Parts of a value that gets a name are written once for it, others as often as the value itself. */
function spread(value: Value): void {
  const isOnce = isNameable(value) && value.nodes * (value.written - 1) >= WORTH_NODES
  for (const part of value.parts) {
    part.value.written += isOnce ? 1 : value.written
    if (value.isCertain && !part.isBehind) part.value.isCertain = true
  }
}

class Values {
  /** Each after its parts. */
  readonly inOrder: Value[] = []
  readonly #known = new ValueMap<SqlExpr, Value>()

  of(expression: SqlExpr): Value {
    const known = this.#known.get(expression)
    if (known) return known
    const parts = partsOf(expression).map(({ part, isBehind }) => ({ value: this.of(part), isBehind }))
    const nodes = parts.reduce((sum, { value }) => sum + value.nodes, 1)
    const value = { expression, parts, nodes, isOfRows: isOfRows(expression, parts), isCertain: false, written: 0 }
    this.#known.set(expression, value)
    this.inOrder.push(value)
    return value
  }
}

function isOfRows(expression: SqlExpr, parts: Value['parts']): boolean {
  if (!isInner<SqlLeaf>(expression)) return expression.kind === 'column'
  return parts.some(({ value }) => value.isOfRows) && parts.every(({ value }) => value.isOfRows || isConstant(value))
}

/** A text of constants. */
const isConstant = ({ expression, parts }: Value): boolean =>
  isInner<SqlLeaf>(expression) && parts.every(({ value }) => isConstant(value))

interface Part {
  readonly part: SqlExpr
  /** Whether it is computed only for some rows. */
  readonly isBehind: boolean
}

function partsOf(expression: SqlExpr): readonly Part[] {
  if (expression.kind === 'aggregate' || expression.kind === 'window')
    return operandsOfCall(expression).map((part) => ({ part, isBehind: false }))
  if (!isInner<SqlLeaf>(expression)) return []
  const isInTurn =
    expression.kind === 'case' ||
    (expression.kind === 'call' && expression.name === 'coalesce') ||
    (expression.kind === 'binary' && (expression.operator === 'and' || expression.operator === 'or'))
  return operandsOf<SqlLeaf>(expression).map((part, at) => ({ part, isBehind: isInTurn && at > 0 }))
}

/** Most are: a value that gets a name has, wherever it is written, its nodes among those of values of rows. */
function isShort(expressions: readonly SqlExpr[]): boolean {
  const texts = new Texts()
  const all = expressions.map((expression) => texts.of(expression))
  const sum = (of: (text: Text) => number): number => all.reduce((nodes, text) => nodes + of(text), 0)
  return sum(({ nodes }) => nodes) < MANY_NODES || sum(({ ofRows }) => ofRows) < WORTH_NODES
}

interface Text {
  readonly nodes: number
  /** Nodes of the longest values in it that are computed of one row. */
  readonly ofRows: number
  /** What the whole of it is computed of. */
  readonly from: 'row' | 'constants' | 'more'
}

const COLUMN: Text = { nodes: 1, ofRows: 0, from: 'row' }
const LEAF: Text = { nodes: 1, ofRows: 0, from: 'more' }

/** The lengths of texts, without comparing values: what stands at many places is one object, and is counted once. */
class Texts {
  readonly #known = new Map<SqlExpr, Text>()

  of(expression: SqlExpr): Text {
    if (expression.kind === 'column') return COLUMN
    const known = this.#known.get(expression)
    if (known) return known
    const text = this.#made(expression)
    this.#known.set(expression, text)
    return text
  }

  #made(expression: SqlExpr): Text {
    const isOfGroups = expression.kind === 'aggregate' || expression.kind === 'window'
    if (!isOfGroups && !isInner<SqlLeaf>(expression)) return LEAF
    const parts = isOfGroups ? operandsOfCall(expression) : operandsOf<SqlLeaf>(expression)
    let [nodes, ofRows] = [1, 0]
    let from: Text['from'] = 'constants'
    for (const part of parts) {
      const text = this.of(part)
      nodes += text.nodes
      ofRows += text.ofRows
      if (text.from === 'more' || from === 'constants') from = text.from
    }
    if (isOfGroups) return { nodes, ofRows, from: 'more' }
    return { nodes, ofRows: from === 'row' ? nodes : ofRows, from }
  }
}
