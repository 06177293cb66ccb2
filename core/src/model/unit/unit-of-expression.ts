import { spend } from '../../work.js'
import { type Call, type Expr, type InnerNode, isInner, isLiteral, leavesOf } from '../expression/ast.js'
import { inverse, isSameUnit, multiplied, RATIO, raised, type Unit } from './unit.js'

/** What is known of the unit of a value. */
export interface UnitFound<S> {
  /** `undefined` if nothing states one: such a value agrees with every unit. */
  readonly unit: Unit<S> | undefined
  /** Whether a number without a unit is a factor of it, which may convert it into another unit. */
  readonly isScaled: boolean
}

export const NO_UNIT: UnitFound<never> = { unit: undefined, isScaled: false }

/** How the units of an expression are found. */
export interface UnitReading<L, S> {
  readonly ofLeaf: (leaf: L) => UnitFound<S>
  readonly ofParameter: (name: string) => UnitFound<S>
  /** Called for two values that are added, compared or chosen between although their units differ. */
  readonly differ: (a: Unit<S>, b: Unit<S>) => void
  /** Whether two units agree; if they are equal, unless something else is given. */
  readonly agree?: (a: Unit<S>, b: Unit<S>) => boolean
}

type Find<L, S> = (expr: Expr<L>) => UnitFound<S>

/** The unit of an expression from those of its leaves. */
export function unitOfExpression<L extends { readonly kind: string }, S>(
  expr: Expr<L>,
  reading: UnitReading<L, S>,
): UnitFound<S> {
  if (!isInner<L>(expr)) return reading.ofLeaf(expr)
  return unitOfNode(expr, (e) => unitOfExpression(e, reading), reading)
}

function unitOfNode<L extends { readonly kind: string }, S>(
  node: InnerNode<L>,
  find: Find<L, S>,
  reading: UnitReading<L, S>,
): UnitFound<S> {
  spend()
  switch (node.kind) {
    case 'literal':
      return NO_UNIT
    case 'parameter':
      return reading.ofParameter(node.name)
    case 'unary':
    case 'cast':
      return find(node.operand)
    case 'is-null':
      return checked([find(node.operand)])
    case 'binary': {
      const sides = [find(node.left), find(node.right)] as const
      switch (node.operator) {
        case '*':
          return product(sides)
        case '/':
          return quotient(sides)
        case '+':
        case '-':
          return common(sides, reading)
        case 'and':
        case 'or':
          return checked(sides)
        default:
          return checked([common(sides, reading)])
      }
    }
    case 'call':
      return unitOfCall(node, find, reading)
    case 'case': {
      for (const { when } of node.branches) find(when)
      const values = [...node.branches.map(({ then }) => then), ...(node.otherwise ? [node.otherwise] : [])]
      return node.branches.every(({ when }) => leavesOf<L>(when).length === 0)
        ? chosenByQuery(values.map(find), reading)
        : common(values.map(find), reading)
    }
    case 'in':
      return checked([common([node.operand, ...node.list].map(find), reading)])
    case 'like':
      return checked([find(node.operand), find(node.pattern)])
  }
}

/** A value without a unit, such as a truth, whose operands were only looked through. */
const checked = <S>(_operands: readonly UnitFound<S>[]): UnitFound<S> => NO_UNIT

/** Functions whose value has the unit of all their arguments. */
const COMMON: ReadonlySet<string> = new Set(['coalesce', 'nullif', 'greatest', 'least', 'mod'])
/** Functions whose value has the unit of the first argument. */
const OF_FIRST: ReadonlySet<string> = new Set(['abs', 'floor', 'ceil', 'round', 'trunc'])

function unitOfCall<L extends { readonly kind: string }, S>(
  { name, args }: Call<L>,
  find: Find<L, S>,
  reading: UnitReading<L, S>,
): UnitFound<S> {
  const found = args.map(find)
  const [first = NO_UNIT, second = NO_UNIT] = found
  if (COMMON.has(name)) return common(found, reading)
  if (OF_FIRST.has(name)) return first
  if (name === 'div') return quotient([first, second])
  if (name === 'sqrt') return toPower(first, 0.5)
  if (name === 'power') return toPower(first, numberOf(args[1]))
  return NO_UNIT
}

const numberOf = <L extends { readonly kind: string }>(expr: Expr<L> | undefined): number | undefined =>
  expr && isLiteral(expr) && expr.value !== null ? Number(expr.value) : undefined

function toPower<S>({ unit, isScaled }: UnitFound<S>, exponent: number | undefined): UnitFound<S> {
  if (unit === undefined || exponent === undefined) return { unit: unit?.length === 0 ? RATIO : undefined, isScaled }
  return { unit: raised(unit, exponent), isScaled }
}

/** The unit of a choice that reads parameters only: a query makes it once, so the values may have different units, of which the author says one. */
function chosenByQuery<S>(
  found: readonly UnitFound<S>[],
  { agree = isSameUnit }: Pick<UnitReading<never, S>, 'agree'>,
): UnitFound<S> {
  const known = found.flatMap(({ unit }) => (unit === undefined ? [] : [unit]))
  const [first, ...others] = known
  return first && others.every((other) => agree(first, other))
    ? { unit: first, isScaled: found.some(({ isScaled }) => isScaled) }
    : NO_UNIT
}

/** The unit of values that are added, compared or chosen between. */
export function common<S>(
  found: readonly UnitFound<S>[],
  { differ, agree = isSameUnit }: Pick<UnitReading<never, S>, 'differ' | 'agree'>,
): UnitFound<S> {
  const known = found.flatMap(({ unit }) => (unit === undefined ? [] : [unit]))
  const [first, ...others] = known
  for (const other of others) if (first && !agree(first, other)) differ(first, other)
  return { unit: first, isScaled: found.some(({ isScaled }) => isScaled) }
}

export function product<S>(found: readonly UnitFound<S>[]): UnitFound<S> {
  const known = found.flatMap(({ unit }) => (unit === undefined ? [] : [unit]))
  const isScaled = known.length < found.length || found.some((each) => each.isScaled)
  return known.length === 0 ? NO_UNIT : { unit: multiplied(known), isScaled }
}

export const quotient = <S>([above, below]: readonly [UnitFound<S>, UnitFound<S>]): UnitFound<S> =>
  product([above, { ...below, unit: below.unit && inverse(below.unit) }])
