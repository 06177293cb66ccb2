import { isMap } from 'yaml'
import { argumentsOf } from './completion.js'
import type { Language } from './knowledge.js'
import { childOf, contentOf, type Entry, entryOver, type ModelText, type Span, textOf } from './model-text.js'
import { symbolAt } from './navigate.js'
import { schemaAt } from './schema.js'
import { isSame, type Occurrence, occurrencesOf } from './symbols.js'

export interface Hover extends Span {
  /** Markdown. */
  readonly text: string
}

/** The meaning of the word at an offset. */
export function hoverAt(model: ModelText, offset: number, language: Language): Hover | undefined {
  const symbol = symbolAt(model, offset)
  if (symbol) return { from: symbol.from, to: symbol.to, text: aboutSymbol(symbol, model) }
  const over = entryOver(model, offset)
  if (!over) return undefined
  if (over.on === 'key') return aboutKey(over.entry, language)
  const word = wordAt(model.text, offset)
  const last = over.entry.path.at(-1)
  const known = last === 'expression' ? language.functions : last === 'aggregation' ? language.aggregations : []
  const found = known.find(({ name }) => name === model.text.slice(word.from, word.to).toLowerCase())
  return found && { ...word, text: `**${found.name}** · ${argumentsOf(found.arity)}\n\n${capital(found.meaning)}.` }
}

function aboutKey({ key, path }: Entry, { schema }: Language): Hover | undefined {
  const rule = schemaAt(schema, path)
  if (!key || rule?.description === undefined) return undefined
  const values = rule.enum ? `\n\nOne of ${rule.enum.map((value) => `\`${String(value)}\``).join(', ')}.` : ''
  return { ...contentOf(key), text: `**${path.at(-1)}**\n\n${rule.description}${values}` }
}

const SECTION_WORDS: Readonly<Record<string, string>> = {
  dataObjects: 'data object',
  dimensions: 'dimension',
  measures: 'measure',
  metrics: 'metric',
  segments: 'segment',
  calendars: 'calendar',
  parameters: 'parameter',
}

/** The facts of its declaration. */
function aboutSymbol(symbol: Occurrence, model: ModelText): string {
  const declaration = occurrencesOf(model).find((other) => other.declares && isSame(other, symbol))
  const entry = declaration?.entry
  const what = symbol.kind === 'column' ? `column of ${symbol.object}` : (SECTION_WORDS[String(entry?.path[0])] ?? symbol.kind)
  if (!entry) return `**${symbol.name}** · ${what}, not declared in this document`
  const facts = FACTS.flatMap((name) => {
    const value = textOf(childOf(model, entry, name)?.value)
    return value === undefined ? [] : [`- ${name}: \`${value.trim()}\``]
  })
  const said = ['description', 'comment'].flatMap((name) => textOf(childOf(model, entry, name)?.value)?.trim() ?? [])
  const columns = childOf(model, entry, 'columns')?.value
  const count = symbol.kind === 'object' && isMap(columns) ? [`- ${columns.items.length} columns`] : []
  return [`**${symbol.name}** · ${what}`, ...said.slice(0, 1), [...facts, ...count].join('\n')]
    .filter((part) => part !== '')
    .join('\n\n')
}

const FACTS = [
  'code',
  'expression',
  'aggregation',
  'abstractType',
  'sqlType',
  'dataObject',
  'column',
  'timeGrain',
  'type',
  'measure',
  'default',
  'status',
  'use',
  'owner',
]

function wordAt(text: string, offset: number): Span {
  const before = /[\p{L}\p{N}_]*$/u.exec(text.slice(Math.max(0, offset - 100), offset))![0].length
  const after = /^[\p{L}\p{N}_]*/u.exec(text.slice(offset, offset + 100))![0].length
  return { from: offset - before, to: offset + after }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
