/** Expressions inside a query, over dimensions or over the rows of its answer, in the expression grammar of the model. */
import { fail, within } from '../errors.js'
import { splitReference } from '../model/analyse/context.js'
import { BOOLEAN, type DataType, formatDataType } from '../model/data-type.js'
import { type ColumnRef, type Expr, leavesOf } from '../model/expression/ast.js'
import { parseExpression } from '../model/expression/parse.js'
import { ExpressionError } from '../model/expression/tokenize.js'
import { TypeFault, typed } from '../model/expression/typed.js'
import { valueType } from '../model/expression/value-type.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { isAlikeUnit, unitsOfModel } from '../model/unit/model-units.js'
import { type Unit, type UnitSymbol, unitInWords } from '../model/unit/unit.js'
import { unitOfExpression } from '../model/unit/unit-of-expression.js'
import type { QueryDimension } from '../query/query-object.js'
import { bucket, onClocks } from './bucket.js'
import type { TimeContext } from './clock.js'
import { resolveDimension } from './fields.js'
import { inClocks } from './in-clocks.js'
import { findColumn } from './lookup.js'
import { columnOf, type FieldLeaf, type ResolveContext, type ResolvedDimension } from './resolved-query.js'

type Catalogue = Pick<ResolveContext, 'functions' | 'aggregates' | 'model'>

/** The value that a name between braces refers to. */
export interface NamedValue<L> {
  readonly expression: Expr<L>
  readonly type: DataType
  /** Its column has no declared type, so the expression may use it as any. */
  readonly isUntyped?: boolean
  readonly unit?: Unit | undefined
}

/** Finds the value of a name; `isColumn` if it was written as `{[Object].[Column]}`. */
type Lookup<L> = (name: string, isColumn: boolean) => NamedValue<L>

export interface AdHoc<L> extends NamedValue<L> {
  /** The names that it reads, for messages. */
  readonly fields: readonly string[]
}

/** The expression of a text, with `named` in place of each `{[Name]}`. Throws `INVALID_EXPRESSION` and what `named` throws. */
export function adHoc<L extends { readonly kind: string }>(
  text: string,
  path: string,
  { functions, aggregates, model, time }: Catalogue & Pick<ResolveContext, 'time'>,
  named: Lookup<L>,
): AdHoc<L> {
  const parsed = within(path, () =>
    withTypes(parse(text, named, { functions: writable(functions), aggregates, model }), functions),
  )
  within(path, () => checkUnits(parsed, model))
  const leaves = leavesOf(parsed)
  const type = valueType<Leaf<L>>(parsed, (leaf) => leaf.value.type, functions)
  return {
    expression: inClocks<Leaf<L>, L>({ expression: parsed, type }, { time, functions }, (leaf) => leaf.value),
    type,
    fields: [...new Set(leaves.map((leaf) => leaf.name))],
  }
}

/** A query may use what a model may use, and nothing that is internal to plans. */
const writable = (functions: Catalogue['functions']): Catalogue['functions'] =>
  new Map([...functions].filter(([, { internal = false }]) => !internal))

interface Leaf<L> {
  readonly kind: 'named'
  readonly name: string
  /** The text between the braces. */
  readonly written: string
  readonly value: NamedValue<L>
}

function parse<L>(text: string, named: Lookup<L>, { model, ...catalogue }: Catalogue): Expr<Leaf<L>> {
  try {
    return parseExpression<Leaf<L>>(text, {
      ...catalogue,
      parameters: model.parameters,
      leaf: (reference) => {
        const parts = splitReference(reference)
        if (!parts) return fail('INVALID_EXPRESSION', `'{${reference}}' names no field; write {[Name]}`)
        const name = parts.object === undefined ? parts.name : `${parts.object}.${parts.name}`
        return { kind: 'named', name, written: reference, value: named(name, parts.object !== undefined) }
      },
      // Only authors of models may use engine-specific functions: a query has the same answer everywhere.
      report: (code, message) => fail(code, message),
    })
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return fail('INVALID_EXPRESSION', `${error.message}, at character ${error.offset + 1} of the expression`)
  }
}

/** Throws `EXPRESSION_TYPE_MISMATCH`. */
function withTypes<L>(parsed: Expr<Leaf<L>>, functions: Catalogue['functions']): Expr<Leaf<L>> {
  const typeOfLeaf = ({ value }: Leaf<L>): DataType | undefined => (value.isUntyped ? undefined : value.type)
  try {
    return typed<Leaf<L>>(parsed, { typeOfLeaf, nameOfLeaf: ({ written }) => written, functions }).expression
  } catch (error) {
    if (!(error instanceof TypeFault)) throw error
    return fail('EXPRESSION_TYPE_MISMATCH', error.message)
  }
}

/** Throws `UNIT_MISMATCH`. */
function checkUnits<L>(parsed: Expr<Leaf<L>>, { parameters }: Pick<SemanticModel, 'parameters'>): void {
  unitOfExpression<Leaf<L>, UnitSymbol>(parsed, {
    ofLeaf: ({ value }) => ({ unit: value.unit, isScaled: false }),
    ofParameter: (name) => ({ unit: parameters.get(name)?.unit, isScaled: false }),
    // Which column names a unit is not compared here: a query may leave one value of both.
    agree: isAlikeUnit,
    differ: (a, b) =>
      fail(
        'UNIT_MISMATCH',
        `the expression adds, compares or chooses between ${unitInWords(a)} and ${unitInWords(b)}; convert one of them first, by a product with a rate`,
      ),
  })
}

/** A condition over dimensions. Throws `INVALID_EXPRESSION` if its value is not boolean. */
export function adHocCondition(text: string, path: string, context: ResolveContext): AdHoc<FieldLeaf> {
  const found = adHoc(text, path, context, (name, isColumn) => (isColumn ? columnValue : dimensionValue)(name, context))
  if (found.type.kind !== 'boolean') refuseType(found.type, path)
  return found
}

export function refuseType(type: DataType, path: string): never {
  return fail('INVALID_EXPRESSION', `a condition is ${BOOLEAN.kind}, and this expression is ${formatDataType(type)}`, { path })
}

/** A dimension that the query computes from others. */
export function adHocDimension(
  { expression: text, as }: QueryDimension & { kind: 'expression' },
  path: string,
  context: ResolveContext,
): ResolvedDimension {
  refuseKnown(as, context, path)
  const at = `${path}.expression`
  const { expression, type } = adHoc(text, at, context, (name) => dimensionValue(name, context))
  const [first, ...others] = leavesOf(expression)
  if (!first) return fail('INVALID_EXPRESSION', `'${as}' reads no dimension, so it is the same for every row`, { path: at })
  return {
    name: as,
    label: as,
    type,
    members: [...first.members, ...others.flatMap((leaf) => leaf.members)],
    expression,
    grain: undefined,
    format: undefined,
    path,
  }
}

function refuseKnown(as: string, { model }: ResolveContext, path: string): void {
  if (!model.dimensions.has(as) && !model.measures.has(as) && !model.metrics.has(as)) return
  fail('INVALID_QUERY', `'${as}' is already the name of a field of the model; choose another`, { path: `${path}.as` })
}

/** The value by which the dimension groups: its bucket if it has a grain, and an instant in the zone of the query. */
function dimensionValue(text: string, { model, time }: ResolveContext): NamedValue<FieldLeaf> {
  const { members, grain, type, label } = resolveDimension({ kind: 'name', text }, model, '')
  const read = members[0].type
  const leaf: FieldLeaf = { kind: 'where-field', members, type: read, name: label }
  if (grain) return { expression: bucket<FieldLeaf>(leaf, read, grain, time), type }
  const [{ name, expression }] = members
  const { unit } = unitsOfModel(model).ofExpression(expression, { kind: 'dimension', name })
  return { ...shown(leaf, time), isUntyped: members.some((member) => isUntyped(member.expression, model)), unit }
}

function columnValue(text: string, { model, time }: ResolveContext): NamedValue<FieldLeaf> {
  const found = findColumn(text, model)
  if (!found) return fail('UNKNOWN_FILTER_FIELD', `'${text}' is not a column of this model`)
  const { ref, column } = found
  const source = { name: text, object: ref.object, via: undefined, expression: ref, type: column.type }
  return {
    ...shown({ kind: 'where-field', members: [source], type: column.type, name: text }, time),
    isUntyped: !column.isTyped,
    unit: unitsOfModel(model).ofColumn(ref).unit,
  }
}

const isUntyped = (expr: Expr<ColumnRef>, model: SemanticModel): boolean =>
  expr.kind === 'column' && !columnOf(model, expr).isTyped

function shown(leaf: FieldLeaf, time: TimeContext): NamedValue<FieldLeaf> {
  const { value, type } = onClocks<FieldLeaf>(leaf, leaf.type, time)
  return { expression: value, type }
}
