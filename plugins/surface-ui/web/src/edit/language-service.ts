/** Requests of the editor about a text, as messages between the page and its worker, so that a large model does not block the page. */
import {
  type Completion,
  completionsAt,
  type Diagnostic,
  definitionAt,
  diagnosticsOf,
  type Finding,
  formatEdits,
  type Hover,
  hoverAt,
  type Language,
  lineStarts,
  type ModelText,
  type Renaming,
  readModelText,
  renameAt,
  renameSpanAt,
  type Span,
  type TextEdit,
} from '@grainline/language'
import type { Addition } from './addition.js'
import { writeComparison } from './write-comparison.js'
import { writeExample } from './write-example.js'
import { writeMeasures } from './write-measures.js'

/** A diagnostic with the number of its line. */
export interface PlacedDiagnostic extends Diagnostic {
  readonly line: number
}

export interface LanguageService {
  diagnostics(findings: readonly Finding[]): readonly PlacedDiagnostic[]
  completions(at: number): readonly Completion[]
  hover(at: number): Hover | undefined
  definition(at: number): Span | undefined
  renameSpan(at: number): ReturnType<typeof renameSpanAt>
  rename(place: { readonly at: number; readonly name: string }): Renaming
  format(input: null): readonly TextEdit[]
  /** The edits that add it to the model. */
  add(addition: Addition): readonly TextEdit[]
}

export type Asked = keyof LanguageService
export type Input<K extends Asked> = Parameters<LanguageService[K]>[0]
export type Output<K extends Asked> = ReturnType<LanguageService[K]>

/** `language` comes first and once; `text` is set if it has changed. */
export interface ToWorker<K extends Asked = Asked> {
  readonly id: number
  readonly asked: K
  readonly input: Input<K>
  readonly text?: string
  readonly language?: Language
}

export type FromWorker = { readonly id: number; readonly output: unknown } | { readonly id: number; readonly failed: string }

/** Keeps the last text, and parses it once. */
export function answering(): (message: ToWorker) => FromWorker {
  let language: Language | undefined
  let text = ''
  let read: ModelText | undefined
  const model = () => {
    read ??= readModelText(text)
    return read
  }
  const service: LanguageService = {
    // A large text without faults need not be read.
    diagnostics: (findings) => (findings.length === 0 ? [] : placed(model(), findings)),
    completions: (at) => completionsAt(text, at, language!),
    hover: (at) => hoverAt(model(), at, language!),
    definition: (at) => definitionAt(model(), at),
    renameSpan: (at) => renameSpanAt(model(), at),
    rename: ({ at, name }) => renameAt(model(), at, name),
    format: () => formatEdits(model()),
    add: (addition) => added(model(), addition),
  }
  return (message) => {
    language = message.language ?? language
    if (message.text !== undefined && message.text !== text) [text, read] = [message.text, undefined]
    try {
      const ask = service[message.asked] as (input: unknown) => unknown
      return { id: message.id, output: ask(message.input) }
    } catch (error) {
      return { id: message.id, failed: String(error) }
    }
  }
}

function added(model: ModelText, addition: Addition): readonly TextEdit[] {
  switch (addition.kind) {
    case 'comparison':
      return writeComparison(model, addition)
    case 'measures':
      return writeMeasures(model, addition.measures)
    case 'example':
      return [writeExample(model, addition.example)]
  }
}

function placed(model: ModelText, findings: readonly Finding[]): PlacedDiagnostic[] {
  const starts = lineStarts(model.text)
  const lineOf = (offset: number) => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
  return diagnosticsOf(model, findings)
    .map((each) => ({ ...each, line: lineOf(each.from) }))
    .toSorted((a, b) => a.from - b.from)
}
