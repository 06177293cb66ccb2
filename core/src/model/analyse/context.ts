import type { ErrorCode } from '../../errors.js'
import { entryOf } from '../../invariant.js'
import { type AuthorRights, LISTED_HINT, SQL_HINT } from '../author-rights.js'
import { type DataType, STRING } from '../data-type.js'
import type { FieldStatus, ModelDocument } from '../document.js'
import { type ColumnRef, type Expr, leavesOf } from '../expression/ast.js'
import { parseExpression } from '../expression/parse.js'
import { ExpressionError } from '../expression/tokenize.js'
import { type Typed, TypeFault, type Typing, typed } from '../expression/typed.js'
import type { Faults } from '../faults.js'
import type { AggregateSpec, FunctionSpec } from '../functions/function-spec.js'
import type { Grain } from '../grain.js'
import type { ModelParameter } from '../parameter.js'
import type { Segments } from '../parse/locate.js'
import type { Column, DataObject, Graded } from '../semantic-model.js'

/** The input and the results of all steps of the analysis. Steps run in order; each may read the results of the previous ones. */
export interface Context {
  readonly document: ModelDocument
  readonly faults: Faults
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
  /** True for an entry whose shape is wrong: its name counts as known, and no further error is reported for it. */
  readonly isBroken: (segments: Segments) => boolean
  readonly portable: boolean
  /** The rights of the author; absent means everything is allowed. */
  readonly rights?: AuthorRights | undefined
  readonly grains: ReadonlyMap<string, Grain>
  readonly parameters: ReadonlyMap<string, ModelParameter>
  /** Every declared object with its valid columns. */
  readonly objects: Map<string, DraftObject>
}

export interface DraftObject {
  /** Its columns are unknown, so every name is accepted. */
  readonly broken: boolean
  readonly columnNames: ReadonlySet<string>
  readonly columns: Map<string, Column>
  object: DataObject | undefined
}

interface ReferenceCodes {
  readonly object: ErrorCode
  readonly column: ErrorCode
}
const PLAIN: ReferenceCodes = { object: 'UNKNOWN_DATA_OBJECT', column: 'UNKNOWN_COLUMN' }
const IN_EXPRESSION: ReferenceCodes = { object: 'UNKNOWN_DATA_OBJECT_IN_EXPRESSION', column: 'UNKNOWN_COLUMN_IN_EXPRESSION' }

/** How a missing name is reported, and where it starts in a text. */
interface NameInText {
  readonly code?: ErrorCode | undefined
  readonly offset?: number | undefined
}

/** Reports an object that is not declared; returns true for a declared one. */
export function knowsObject(
  name: string,
  segments: Segments,
  context: Context,
  { code = PLAIN.object, offset }: NameInText = {},
): boolean {
  if (context.objects.has(name)) return true
  const details = offset === undefined ? {} : { offset }
  context.faults.unknown(
    code,
    segments,
    { message: `'${name}' is not a data object of this model`, name, known: context.objects.keys() },
    details,
  )
  return false
}

/** A column as the model names it. */
interface NamedColumn {
  readonly object: string
  readonly column: string
}

/** Reports a column that is not declared; returns true for a declared one. The object must be known. */
export function knowsColumn(
  { object, column }: NamedColumn,
  segments: Segments,
  context: Context,
  { code = PLAIN.column, offset }: NameInText = {},
): boolean {
  const draft = entryOf(context.objects, object)
  if (draft.broken || draft.columnNames.has(column)) return true
  const details = offset === undefined ? {} : { offset }
  context.faults.unknown(
    code,
    segments,
    { message: `'${column}' is not a column of '${object}'`, name: column, known: draft.columnNames },
    details,
  )
  return false
}

/** The reference of a `{dataObject, column}` pair, or undefined if something is missing or unknown. */
export function columnOfPair(
  pair: { readonly dataObject?: string; readonly column?: string },
  segments: Segments,
  context: Context,
  columnCode: ErrorCode = PLAIN.column,
): ColumnRef | undefined {
  const { dataObject, column } = pair
  if (dataObject === undefined || column === undefined) {
    const missing = dataObject === undefined ? 'dataObject' : 'column'
    context.faults.error('INCOMPLETE_COLUMN_REF', segments, `This column reference lacks its '${missing}'`)
    return undefined
  }
  if (!knowsObject(dataObject, [...segments, 'dataObject'], context)) return undefined
  if (!knowsColumn({ object: dataObject, column }, [...segments, 'column'], context, { code: columnCode })) return undefined
  return { kind: 'column', object: dataObject, column }
}

/** The type of a valid column; string for an invalid one. */
export const columnType = (ref: ColumnRef, context: Context): DataType =>
  context.objects.get(ref.object)?.columns.get(ref.column)?.type ?? STRING

/** Whether every column that an expression reads is valid; an error in one is reported where it is declared. */
export const isUnderstood = (expr: Expr<ColumnRef>, context: Context): boolean =>
  leavesOf<ColumnRef>(expr).every(({ object, column }) => context.objects.get(object)?.columns.has(column) ?? false)

/** The object and the name in the text between the braces of a reference. */
export function splitReference(text: string): { readonly object: string | undefined; readonly name: string } | undefined {
  const pair = /^\[(.*?)\]\s*\.\s*\[(.*)\]$/s.exec(text)
  if (pair) return pair[1] && pair[2] ? { object: pair[1], name: pair[2] } : undefined
  const single = /^\[(.*)\]$/s.exec(text)
  const name = single ? single[1]! : text
  return name === '' ? undefined : { object: undefined, name }
}

/** The type of a column; `undefined` if its declaration has an error, or names no type. */
const declaredTypeOf = ({ object, column }: ColumnRef, context: Context): DataType | undefined => {
  const found = context.objects.get(object)?.columns.get(column)
  return found?.isTyped ? found.type : undefined
}

/** An expression over columns that are read already, with its types. */
export function typedOverColumns(
  expr: Expr<ColumnRef>,
  segments: Segments,
  owner: string | undefined,
  context: Context,
): Typed<ColumnRef> | undefined {
  const nameOfLeaf = ({ object, column }: ColumnRef): string => (object === owner ? column : `[${object}].[${column}]`)
  return typedExpression<ColumnRef>(expr, segments, context, { typeOfLeaf: (ref) => declaredTypeOf(ref, context), nameOfLeaf })
}

/** The expression with its types; `undefined` if they do not fit, which is reported. */
export function typedExpression<L extends { readonly kind: string }>(
  expr: Expr<L>,
  segments: Segments,
  { faults, functions }: Context,
  leaves: Omit<Typing<L>, 'functions'>,
): Typed<L> | undefined {
  try {
    return typed<L>(expr, { ...leaves, functions })
  } catch (error) {
    if (!(error instanceof TypeFault)) throw error
    faults.error('EXPRESSION_TYPE_MISMATCH', segments, error.message)
    return undefined
  }
}

/** An expression over columns; `owner` is the object whose columns may be named without it. Undefined if there is an error in it. */
export function columnExpression(
  text: string,
  segments: Segments,
  owner: string | undefined,
  context: Context,
): Expr<ColumnRef> | undefined {
  return expression<ColumnRef>(text, segments, context, {
    leaf: (reference, offset) => {
      const parts = splitReference(reference)
      const object = parts?.object ?? owner
      if (!parts || object === undefined) {
        const message = `'{${reference}}' names no column of a data object; write {[Object].[Column]}`
        context.faults.error('INCOMPLETE_COLUMN_REF', segments, message, { offset })
        return undefined
      }
      if (!knowsObject(object, segments, context, { code: IN_EXPRESSION.object, offset })) return undefined
      if (!knowsColumn({ object, column: parts.name }, segments, context, { code: IN_EXPRESSION.column, offset }))
        return undefined
      return { kind: 'column', object, column: parts.name }
    },
  })
}

/** How the names in an expression are read. */
interface Leaves<L> {
  /** The leaf that a name refers to; `undefined` if the name was reported as an error. */
  readonly leaf: (text: string, offset: number) => L | undefined
  /** The suggested replacement for the rest of a text that cannot be parsed. */
  readonly meant?: (rest: string) => string | undefined
}

/** Parses and reports: a leaf that is undefined was reported by `leaf` itself. */
export function expression<L extends { readonly kind: string }>(
  text: string,
  segments: Segments,
  context: Context,
  { leaf, meant }: Leaves<L>,
): Expr<L> | undefined {
  let sound = true
  const report = (code: ErrorCode, message: string, offset: number, name = ''): void => {
    const passedThrough = code === 'NON_PORTABLE_FUNCTION' && !context.portable
    const refused = passedThrough ? refusedCall(name, message, context.rights) : undefined
    if (refused) {
      sound = false
      context.faults.error('MODEL_SQL_DENIED', segments, refused.message, { offset, hint: refused.hint })
      return
    }
    if (passedThrough) {
      context.faults.warn(code, segments, message, { offset })
      return
    }
    sound = false
    context.faults.error(code, segments, message, { offset })
  }
  try {
    const parsed = parseExpression<L | Missing>(text, {
      functions: context.functions,
      aggregates: context.aggregates,
      parameters: context.parameters,
      report,
      ...(meant && { meant }),
      leaf: (reference, offset) => {
        const found = leaf(reference, offset)
        if (found === undefined) sound = false
        return found ?? MISSING
      },
    })
    return sound ? (parsed as Expr<L>) : undefined
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    context.faults.error('INVALID_EXPRESSION', segments, error.message, { offset: error.offset })
    return undefined
  }
}

interface Missing {
  readonly kind: 'missing'
}
const MISSING: Missing = { kind: 'missing' }

export const describedOf = (entry: {
  readonly description?: string
  readonly owner?: string
  readonly synonyms?: readonly string[]
}) => ({
  description: entry.description,
  owner: entry.owner,
  synonyms: entry.synonyms ?? [],
})

export const gradedOf = ({
  status,
  use,
  hidden,
}: {
  readonly status?: FieldStatus
  readonly use?: string
  readonly hidden?: boolean
}): Graded => ({ status, use, ...(hidden && { hidden }) })

/** The keys of a section, listed only if a suggestion needs them. */
export function* keysOf(section: Readonly<Record<string, unknown>>): Generator<string> {
  yield* Object.keys(section)
}

/** Why this author must not call a function that only the engine knows. */
function refusedCall(name: string, message: string, rights: AuthorRights | undefined) {
  if (rights === undefined) return undefined
  if (!rights.sql) return { message: `${message} (MODEL_SQL=deny)`, hint: SQL_HINT }
  const refusal = rights.sql.refusedFunction(name)
  return refusal === undefined ? undefined : { message: refusal, hint: LISTED_HINT }
}

/** The entries of a record, one pair at a time: a list of all pairs of 100,000 entries would block the event loop. */
export function* entriesOf<T>(record: Readonly<Record<string, T>> | undefined): Generator<readonly [name: string, entry: T]> {
  if (record === undefined) return
  for (const name of Object.keys(record)) yield [name, record[name]!]
}
