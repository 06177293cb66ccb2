import { isMap, isScalar, isSeq, type Scalar } from 'yaml'
import { isPeriodPath, ownPeriods } from './column-places.js'
import type { Language, LanguageFunction } from './knowledge.js'
import {
  contentOf,
  type Entry,
  type ModelText,
  readModelText,
  type Segments,
  type Span,
  spanOfNode,
  textOf,
} from './model-text.js'
import { keysAt, type Schema, schemaAt } from './schema.js'
import { fieldsOf, isQueryPath, meaningOf, namesOf } from './symbols.js'
import { writeScalar, writeWithin } from './write-scalar.js'

export type CompletionKind = 'key' | 'value' | 'object' | 'column' | 'field' | 'function' | 'segment' | 'calendar' | 'parameter'

export interface Completion {
  readonly label: string
  readonly kind: CompletionKind
  /** A word or two beside the label. */
  readonly detail: string | undefined
  readonly documentation: string | undefined
  /** The replaced range and the new text. */
  readonly span: Span
  readonly text: string
}

/** The completions at an offset. */
export function completionsAt(text: string, offset: number, language: Language): Completion[] {
  const expression = expressionAt(text, offset)
  if (expression) return inExpression(expression, offset, language)
  const { model, place } = marked(text, offset)
  if (!place) return []
  const { node, entry } = place
  // Removing the mark restores all offsets of the rest of the text.
  const content = contentOf(node)
  const span = { from: content.from, to: Math.max(offset, content.to - CURSOR.length) }
  if (place.on === 'key')
    return keysFor(entry.parent!, { model, span, language, self: entry, followed: /^[ \t]*:/.test(text.slice(span.to)) })
  return [...valuesFor(entry, node, { model, span, language }), ...keysOfScalar(entry, { model, span, language })]
}

/** The text with a mark at the cursor. A key without a colon would absorb the line below, so a colon is added. */
function marked(text: string, offset: number): { readonly model: ModelText; readonly place: Place | undefined } {
  const [before, after] = [text.slice(0, offset), text.slice(offset)]
  const model = readModelText(`${before}${CURSOR}${after}`)
  const place = placeOf(model)
  if (!place || !isOverLines(place.node, model)) return { model, place }
  const closed = readModelText(`${before}${CURSOR}:${after}`)
  return { model: closed, place: placeOf(closed) }
}

const isOverLines = (node: Scalar, { text }: ModelText): boolean => {
  const { from, to } = spanOfNode(node)
  return node.type === 'PLAIN' && text.slice(from, to).includes('\n')
}

/** A character that no document contains. */
const CURSOR = '\uE000'

interface Context {
  readonly model: ModelText
  readonly span: Span
  readonly language: Language
}

interface Place {
  readonly entry: Entry
  readonly node: Scalar
  readonly on: 'key' | 'value'
}

function placeOf(model: ModelText): Place | undefined {
  for (const entry of model.entries) {
    if (entry.key && textOf(entry.key)?.includes(CURSOR)) return { entry, node: entry.key, on: 'key' }
    if (isScalar(entry.value) && textOf(entry.value)?.includes(CURSOR)) return { entry, node: entry.value, on: 'value' }
  }
  return undefined
}

interface KeyContext extends Context {
  /** The key that is being typed. */
  readonly self: Entry
  /** It already has its colon. */
  readonly followed: boolean
}

/** Keys that the mapping does not have yet. */
function keysFor(parent: Entry, { model, span, language, self, followed }: KeyContext): Completion[] {
  const { schema } = language
  const present = new Set(
    model.entries.filter((entry) => entry.parent === parent && entry !== self).map(({ path }) => path.at(-1)),
  )
  const columns = isPeriodPath(self.path) ? namesOf(model, 'column', String(self.path[1])) : []
  return [
    ...Object.entries(keysAt(schema, parent.path))
      .filter(([key]) => !present.has(key))
      .map(([key, rule]) => keyItem(key, rule, span, followed)),
    ...columns.filter((name) => !present.has(name)).map((name) => columnKey(name, span, followed)),
  ]
}

const columnKey = (name: string, span: Span, followed: boolean): Completion => ({
  ...{ label: name, kind: 'column', detail: undefined, documentation: undefined, span },
  text: `${writeScalar(name)}${followed ? '' : ': '}`,
})

function keyItem(key: string, rule: Schema, span: Span, followed: boolean): Completion {
  return {
    label: key,
    kind: 'key',
    detail: shapeOf(rule),
    documentation: rule.description,
    span,
    text: followed ? key : `${key}: `,
  }
}

const shapeOf = ({ type, enum: values, $ref, anyOf }: Schema): string | undefined => {
  if (values) return values.slice(0, 4).join(' | ')
  if ($ref !== undefined || anyOf) return undefined
  return type === undefined
    ? undefined
    : [type]
        .flat()
        .map((one) => SHAPES[one] ?? one)
        .join(' or ')
}

const SHAPES: Readonly<Record<string, string>> = { object: 'mapping', array: 'list', string: 'text' }

/** Where a mapping is expected, a scalar is its first, unfinished key. */
function keysOfScalar(entry: Entry, { model, span, language }: Context): Completion[] {
  const keys = keysAt(language.schema, entry.path)
  const begun = isMap(entry.value) || isSeq(entry.value)
  return begun || onLineOfKey(entry, model) ? [] : Object.entries(keys).map(([key, rule]) => keyItem(key, rule, span, false))
}

/** A key on the line of `Revenue:` would be invalid YAML. */
function onLineOfKey({ key, value }: Entry, { text }: ModelText): boolean {
  if (!key || !value) return false
  return !text.slice(spanOfNode(key).to, spanOfNode(value).from).includes('\n')
}

function valuesFor(entry: Entry, node: Scalar, context: Context): Completion[] {
  const { model, span, language } = context
  const item =
    (kind: CompletionKind, detail?: string) =>
    (label: string): Completion => ({
      label,
      kind,
      detail,
      documentation: undefined,
      span,
      text: node.type === 'PLAIN' ? writeScalar(label) : writeWithin(node, label),
    })
  const names = namesFor(entry, model)
  if (names) return names.names.map(item(names.kind))
  const last = entry.path.at(-1)
  if (last === 'aggregation') return language.aggregations.map((each) => functionItem(each, span, each.name))
  if (last === 'operator' || last === 'op') return language.operators.map(item('value'))
  if (last === 'offsetGrain')
    return [...ownPeriods(model).map(({ name }) => item('column')(name)), ...grainsOf(model, language).map(item('value'))]
  if (last === 'timeGrain' || /[gG]rain(ToDate)?$/.test(String(last))) return grainsOf(model, language).map(item('value'))
  const rule = schemaAt(language.schema, entry.path)
  if (rule?.enum) return rule.enum.map(String).map(item('value'))
  return rule?.type === 'boolean' ? ['true', 'false'].map((label) => ({ ...item('value')(label), text: label })) : []
}

function namesFor(
  entry: Entry,
  model: ModelText,
): { readonly kind: CompletionKind; readonly names: readonly string[] } | undefined {
  const meaning = meaningOf(entry, model)
  if (!meaning) return undefined
  if (meaning.kind === 'field') return { kind: 'field', names: fieldsFor(entry.path, model) }
  if (meaning.kind === 'column' && meaning.object === undefined) return { kind: 'column', names: everyColumn(model) }
  return { kind: meaning.kind, names: namesOf(model, meaning.kind, meaning.object).filter((name) => !name.includes(CURSOR)) }
}

const MEASURED: ReadonlySet<string> = new Set(['measure', 'base', 'conversion', 'measures'])

/** Dimensions or measures, depending on the key. */
function fieldsFor(path: Segments, model: ModelText): string[] {
  const key = String(typeof path.at(-1) === 'number' ? path.at(-2) : path.at(-1))
  if (MEASURED.has(key)) return fieldsOf(model, 'measures', 'metrics')
  if (key === 'use') return path[0] === 'dimensions' ? fieldsOf(model, 'dimensions') : fieldsOf(model, 'measures', 'metrics')
  return key === 'field' && isQueryPath(path)
    ? fieldsOf(model, 'dimensions', 'measures', 'metrics')
    : fieldsOf(model, 'dimensions')
}

const everyColumn = (model: ModelText): string[] =>
  namesOf(model, 'object').flatMap((object) => namesOf(model, 'column', object).map((column) => `${object}.${column}`))

const grainsOf = (model: ModelText, { grains }: Language): string[] => [
  ...grains,
  ...namesOf(model, 'calendar').flatMap((name) => ['week', 'month', 'quarter', 'year'].map((unit) => `${name}_${unit}`)),
]

interface ExpressionPlace {
  readonly model: ModelText
  readonly entry: Entry
  /** The text before the cursor. */
  readonly before: string
}

/** The expression around the cursor, closed or not: it is removed, so that the rest of the document can be parsed. */
function expressionAt(text: string, offset: number): ExpressionPlace | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const end = text.indexOf('\n', offset)
  const line = text.slice(start, offset)
  const found = /^(.*(?:^|[\s{,])expression:\s*)(['"]?)(.*)$/.exec(line)
  const inline =
    found && !/^[>|]/.test(found[3]!) && !(found[2] === '' && /[,}]\s*\w*$/.test(found[3]!) && /\{/.test(found[1]!))
      ? found
      : undefined
  if (inline) {
    const rest = text.slice(end < 0 ? text.length : end)
    const closing = /\{/.test(inline[1]!) ? ' }' : ''
    return placeIn(readModelText(`${text.slice(0, start)}${inline[1]}${CURSOR}${closing}${rest}`), inline[3]!)
  }
  const { model, place } = marked(text, offset)
  if (place?.on !== 'value' || place.entry.path.at(-1) !== 'expression') return undefined
  return { model, entry: place.entry, before: textOf(place.node)!.split(CURSOR)[0]! }
}

function placeIn(model: ModelText, before: string): ExpressionPlace | undefined {
  const place = placeOf(model)
  return place && { model, entry: place.entry, before }
}

/** Longer than the name of any function. */
const LONGEST_WORD = 100

function inExpression({ model, entry, before }: ExpressionPlace, offset: number, language: Language): Completion[] {
  const open = /\{([^{}]*)$/.exec(before)
  if (open) return inReference(open[1]!, { model, entry, before }, offset)
  const typed = /[\p{L}_][\p{L}\p{N}_]*$/u.exec(before.slice(-LONGEST_WORD))?.[0] ?? ''
  const span = { from: offset - typed.length, to: offset }
  return language.functions.map((each) => functionItem(each, span, `${each.name}(`))
}

function inReference(written: string, { model, entry }: ExpressionPlace, offset: number): Completion[] {
  const named = /^\s*@([^{}]*)$/.exec(written)
  const second = /^\s*\[([^\]]*)\]\s*\.\s*\[?([^\]]*)$/.exec(written)
  const item =
    (kind: CompletionKind, typed: string, write: (name: string) => string) =>
    (name: string): Completion => ({
      label: name,
      kind,
      detail: undefined,
      documentation: undefined,
      span: { from: offset - typed.length, to: offset },
      text: write(name),
    })
  if (named) return namesOf(model, 'parameter').map(item('parameter', named[1]!, (name) => `${name}}`))
  if (second)
    return namesOf(model, 'column', second[1]).map(
      item('column', second[2]!, (name) => (written.endsWith('.') ? `[${name}]}` : `${name}]}`)),
    )
  const typed = written.replace(/^\s*\[?/, '')
  const bracket = written.includes('[') ? '' : '['
  if (entry.path[0] === 'metrics')
    return fieldsOf(model, 'measures', 'metrics').map(item('field', typed, (name) => `${bracket}${name}]}`))
  const own = entry.path[0] === 'dataObjects' ? namesOf(model, 'column', String(entry.path[1])) : []
  const ownItems = own
    .filter((name) => name !== entry.path[3])
    .map(item('column', typed, (name) => `${bracket === '' ? `${name}]` : name}}`))
  return [...ownItems, ...namesOf(model, 'object').map(item('object', typed, (name) => `${bracket}${name}].[`))]
}

function functionItem({ name, meaning, arity }: LanguageFunction, span: Span, text: string): Completion {
  return { label: name, kind: 'function', detail: argumentsOf(arity), documentation: meaning, span, text }
}

/** `2 to 3 arguments`. */
export function argumentsOf([least, most]: LanguageFunction['arity']): string {
  const count = most === null ? `at least ${least}` : least === most ? `${least}` : `${least} to ${most}`
  return `${count} argument${count === '1' ? '' : 's'}`
}
