/**
 * The language service of model documents, without a DOM and without Node: the requests of an editor about a text. Positions are offsets
 * into it.
 */
export { type Completion, type CompletionKind, completionsAt } from './completion.js'
export { type Diagnostic, diagnosticsOf, lineStarts } from './diagnostics.js'
export type { Fix, TextEdit } from './fixes.js'
export { formatEdits } from './format.js'
export { type Hover, hoverAt } from './hover.js'
export type { Finding, Language, LanguageFunction } from './knowledge.js'
export { type ModelText, readModelText, type Span } from './model-text.js'
export { definitionAt, type Renaming, referencesAt, renameAt, renameSpanAt } from './navigate.js'
export { type OutlineItem, outlineOf } from './outline.js'
