import { itemAt } from '../../invariant.js'
import { spend } from '../../work.js'
import { commonType, type DataType, FLOAT, INT, isNumeric, isTemporal, STRING, sameType, TIMESTAMP } from '../data-type.js'
import type { FunctionSpec } from '../functions/function-spec.js'
import { accepts, PARAMETERS, type Parameter } from '../functions/parameter.js'
import { advice, type Misfit } from './advice.js'
import { type Cast, type Expr, type InnerNode, isInner, isLiteral, type Literal, mapOperands, nodeOf, operandsOf } from './ast.js'
import { formatExpression } from './format.js'
import { literalAs, momentOf, wholeOf } from './literal-as.js'
import { castTargets } from './operator-spec.js'
import { operatorOf, parametersOf } from './parameters-of.js'
import { typeOf } from './type-of.js'

/** An expression whose types do not fit, as a sentence that says what to write. */
export class TypeFault extends Error {
  override readonly name = 'TypeFault'

  constructor(
    message: string,
    /** The expression that the message proposes. */
    readonly better: object | undefined,
  ) {
    super(message)
  }
}

/** What an expression reads. */
export interface Typing<L> {
  /** `undefined` for a leaf of unknown type, which every operator and function takes. */
  readonly typeOfLeaf: (leaf: L) => DataType | undefined
  /** The text between the braces, for messages. */
  readonly nameOfLeaf: (leaf: L) => string
  readonly functions: ReadonlyMap<string, FunctionSpec>
}

export interface Typed<L> {
  readonly expression: Expr<L>
  /** `undefined` if it is unknown. */
  readonly type: DataType | undefined
}

/**
 * The expression with the meaning that its types give it: every operator and function has arguments that it takes, a text beside a date is a
 * date, and conversions that some engines lack are written out. Throws `TypeFault`.
 */
export const typed = <L extends { readonly kind: string }>(expression: Expr<L>, typing: Typing<L>): Typed<L> =>
  new Typer<L>(typing).typed(expression)

class Typer<L extends { readonly kind: string }> {
  readonly #known = new Map<Expr<L>, Typed<L>>()
  readonly #types = new Map<Expr<L>, DataType>()

  constructor(private readonly typing: Typing<L>) {}

  typed(expr: Expr<L>): Typed<L> {
    if (isLiteral(expr)) return { expression: expr, type: expr.value === null ? undefined : expr.type }
    if (!isInner<L>(expr)) return { expression: expr, type: this.typing.typeOfLeaf(expr) }
    const known = this.#known.get(expr)
    if (known) return known
    spend()
    const made = expr.kind === 'cast' ? this.#cast(expr) : this.#node(expr)
    this.#known.set(expr, made)
    return made
  }

  #node(node: InnerNode<L>): Typed<L> {
    const given = operandsOf<L>(node).map((operand) => this.typed(operand))
    const parameters = parametersOf<L>(node, this.typing.functions)
    const operands = parameters ? this.#fitted(node, given, parameters) : given.map(({ expression }) => expression)
    let next = 0
    const expression = plainNullif<L>(
      mapOperands<L, L>(node, () => itemAt(operands, next++)),
      operands.map((operand, at) => (isLiteral(operand) ? operand.type : given[at]?.type)),
    )
    return { expression, type: this.#typeOf(node, expression, given) }
  }

  #typeOf(node: InnerNode<L>, expression: Expr<L>, given: readonly Typed<L>[]): DataType | undefined {
    if (DEPENDS.has(operatorOf(node)) && given.some(isUnknown)) return undefined
    if (node.kind === 'call' && !this.typing.functions.has(node.name)) return undefined
    return typeOf<L>(expression, (leaf) => this.typing.typeOfLeaf(leaf) ?? STRING, this.typing.functions, this.#types)
  }

  #fitted(node: InnerNode<L>, given: readonly Typed<L>[], parameters: readonly Parameter[]): Expr<L>[] {
    const types = given.map(({ type }) => type)
    const common = this.#common(node, given, parameters)
    return given.map(({ expression, type }, at) => {
      const parameter = itemAt(parameters, at)
      if (type === undefined)
        return isLiteral(expression) ? nullAs(parameter, common ?? commonType(types.filter(isKnown))) : expression
      const wanted = IS_SHARED.has(parameter) ? common : undefined
      if (fits(expression, type, { parameter, wanted, unit: unitOf(node) })) return expression
      if (parameter === 'as text') return asCast(expression, STRING)
      const literal = isText(expression) ? readText(expression.value, parameter, wanted) : undefined
      return literal ?? this.#refuse({ node, types, at, parameter, wanted })
    })
  }

  /** The type of arguments that have one together, decided by those that are not literal texts; `undefined` if all are texts or unknown. */
  #common(node: InnerNode<L>, given: readonly Typed<L>[], parameters: readonly Parameter[]): DataType | undefined {
    const shared = given.flatMap(({ expression, type }, at) =>
      type !== undefined && IS_SHARED.has(itemAt(parameters, at)) && !isText(expression) ? [{ type, at }] : [],
    )
    const [first, ...others] = shared
    if (first === undefined) return undefined
    const types = given.map(({ type }) => type)
    const parameter = itemAt(parameters, first.at)
    if (first.type.kind === 'json' && parameter === 'comparable')
      this.#refuse({ node, types, at: first.at, parameter, wanted: undefined })
    const other = others.find(({ type }) => familyOf(type) !== familyOf(first.type))
    if (other) this.#refuse({ node, types, at: other.at, parameter, wanted: first.type })
    return commonType(shared.map(({ type }) => type))
  }

  #cast(node: Cast<L>): Typed<L> {
    const { expression, type } = this.typed(node.operand)
    if (type === undefined && isLiteral(expression))
      return { expression: { ...node, operand: { ...expression, type: node.type } }, type: node.type }
    if (type === undefined) return { expression: { ...node, operand: expression }, type: node.type }
    if (isText(expression)) return { expression: this.#castText(node, expression), type: node.type }
    if (!castTargets[type.kind].includes(node.type.kind))
      this.#refuse({ node, types: [type], at: 0, parameter: 'any', wanted: node.type })
    return { expression: converted(expression, type, node), type: node.type }
  }

  #castText(node: Cast<L>, text: Literal & { readonly value: string }): Expr<L> {
    const literal = literalAs(text.value, node.type.kind)
    if (literal === undefined) return this.#refuse({ node, types: [STRING], at: 0, parameter: 'any', wanted: node.type })
    // An instant is read from its text, which may have an offset.
    if (node.type.kind === 'timestamp_tz') return { ...node, operand: text }
    return sameType(literal.type, node.type) && node.type.kind !== 'json' ? literal : { ...node, operand: literal }
  }

  #refuse(misfit: Misfit<L>): never {
    const show = (expr: Expr<L>): string => formatExpression<L>(expr, this.typing.nameOfLeaf)
    const better = this.#better(misfit)
    const instead = better === undefined ? '' : `; write ${show(better)}`
    throw new TypeFault(`In '${shortened(show(misfit.node))}', ${problem(misfit, show)}${instead}`, better)
  }

  /** An expression whose types fit; another operand may have to be changed, too. */
  #better(misfit: Misfit<L>): Expr<L> | undefined {
    const better = advice(misfit)
    if (better === undefined) return undefined
    try {
      this.typed(better)
      return better
    } catch (error) {
      if (!(error instanceof TypeFault)) throw error
      // It was thrown for an expression with the same leaves.
      return error.better as Expr<L> | undefined
    }
  }
}

function problem<L extends { readonly kind: string }>(
  { node, types, at, parameter, wanted }: Misfit<L>,
  show: (expr: Expr<L>) => string,
): string {
  const operand = itemAt(operandsOf<L>(node), at)
  const kind = itemAt(types, at)?.kind
  const isA = `${shortened(show(operand))} is ${kind}`
  if (node.kind === 'cast')
    return isText(operand) ? `the text is no ${wanted?.kind}` : `${kind} cannot be converted to ${wanted?.kind}`
  if (wanted && isText(operand)) return `the text ${show(operand)} is no ${wanted.kind}`
  if (wanted) return `the values must have one type, and ${isA} beside ${wanted.kind}`
  if (parameter === 'comparable') return `${isA}, which has no order and no equality that all engines share`
  return `${operatorOf(node)} takes ${PARAMETERS[parameter]}, and ${isA}`
}

const MAX_SHOWN = 120
const shortened = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)

/** Operators and functions whose type depends on that of their arguments. */
const DEPENDS = { has: (name: string): boolean => !FIXED.has(name) }
const FIXED: ReadonlySet<string> = new Set(['/', '=', '<>', '<', '<=', '>', '>=', 'AND', 'OR', 'NOT', 'IN', 'LIKE', 'IS NULL'])

const IS_SHARED: ReadonlySet<Parameter> = new Set(['alike', 'comparable'])

/** NULL is of every type. */
const isUnknown = <L extends { readonly kind: string }>({ expression, type }: Typed<L>): boolean =>
  type === undefined && !isLiteral(expression)

const isText = (expr: { readonly kind: string }): expr is Literal & { readonly value: string } =>
  isLiteral(expr) && expr.type.kind === 'string' && typeof expr.value === 'string'

/** The time unit in a first argument. */
function unitOf<L>(node: InnerNode<L>): string | undefined {
  const first = node.kind === 'call' ? node.args[0] : undefined
  return first !== undefined && isLiteral(first as { kind: string }) ? String((first as Literal).value) : undefined
}

type Family = 'text' | 'number' | 'boolean' | 'moment' | 'time' | 'json'

/** Types whose values can stand for each other. */
function familyOf(type: DataType): Family {
  if (isNumeric(type)) return 'number'
  if (isTemporal(type)) return 'moment'
  return type.kind === 'string' ? 'text' : (type.kind as Family)
}

const isKnown = (type: DataType | undefined): type is DataType => type !== undefined

interface Place {
  readonly parameter: Parameter
  /** The type that it shares with others. */
  readonly wanted: DataType | undefined
  readonly unit: string | undefined
}

/** Whether a value is taken as it is. A literal is read when the model is loaded. */
function fits(expression: { readonly kind: string }, type: DataType, { parameter, wanted, unit }: Place): boolean {
  if (IS_SHARED.has(parameter)) return wanted === undefined || familyOf(wanted) === familyOf(type)
  return !(parameter === 'json' && isText(expression)) && accepts(parameter, type, unit)
}

/** NULL with the type of its place, which engines need where nothing else decides it. */
function nullAs(parameter: Parameter, common: DataType): Literal | Cast<never> {
  const known = isNumeric(common) ? common : FLOAT
  switch (parameter) {
    case 'number':
      return typedNull(known)
    case 'whole':
      return typedNull(INT)
    case 'moment':
    case 'clock':
    case 'clock of the unit':
      return typedNull(TIMESTAMP)
    default:
      return { kind: 'literal', value: null, type: common }
  }
}

const typedNull = (type: DataType): Cast<never> => ({ kind: 'cast', operand: { kind: 'literal', value: null, type }, type })

/** `nullif` has the type of its first argument. Engines widen it to that of the second, so the definition is written out. */
function plainNullif<L>(expr: Expr<L>, [own, other]: readonly (DataType | undefined)[]): Expr<L> {
  const node = nodeOf(expr)
  if (node?.kind !== 'call' || node.name !== 'nullif') return expr
  if (!own || !other || !isNumeric(own) || !isNumeric(other) || commonType([own, other]).kind === own.kind) return expr
  const [left, right] = [itemAt(node.args, 0), itemAt(node.args, 1)]
  const when: Expr<L> = { kind: 'binary', operator: '=', left, right }
  return { kind: 'case', branches: [{ when, then: { kind: 'literal', value: null, type: own } }], otherwise: left }
}

function readText(text: string, parameter: Parameter, wanted: DataType | undefined): Literal | Cast<never> | undefined {
  if (wanted) return literalAs(text, wanted.kind)
  switch (parameter) {
    case 'number':
      return literalAs(text, 'float')
    case 'whole':
      return wholeOf(text)
    case 'json':
      return literalAs(text, 'json') && literalAs(text, 'string')
    case 'boolean':
      return literalAs(text, 'boolean')
    case 'moment':
    case 'clock':
    case 'clock of the unit':
      return momentOf(text)
    default:
      return undefined
  }
}

/** Casts that some engines lack are written with others. */
function converted<L>(operand: Expr<L>, from: DataType, node: Cast<L>): Expr<L> {
  const kept = { ...node, operand }
  if (from.kind === 'boolean' && isNumeric(node.type)) return { ...node, operand: asNumber(operand) }
  if (isNumeric(from) && node.type.kind === 'boolean') return { kind: 'binary', operator: '<>', left: operand, right: whole(0) }
  return from.kind === 'timestamp_tz' && node.type.kind === 'time' ? { ...node, operand: asCast(operand, TIMESTAMP) } : kept
}

const whole = (value: number): Literal => ({ kind: 'literal', value, type: INT })
const asCast = <L>(operand: Expr<L>, type: DataType): Expr<L> => ({ kind: 'cast', operand, type })
const asNumber = <L>(condition: Expr<L>): Expr<L> => ({
  kind: 'case',
  branches: [
    { when: condition, then: whole(1) },
    { when: { kind: 'unary', operator: 'not', operand: condition }, then: whole(0) },
  ],
  otherwise: undefined,
})
