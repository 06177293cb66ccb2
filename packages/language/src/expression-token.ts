import type { Span } from './model-text.js'

const TOKEN =
  /\{[^{}]*\}?|'(?:[^']|'')*'|[\p{L}_][\p{L}\p{N}_$]*|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|\|\||<>|!=|<=|>=|[^\s]/uy

/** The token of an expression that begins at an offset; at the end of the text the character before. */
export function tokenAt(text: string, offset: number, within: Span): Span {
  TOKEN.lastIndex = offset
  const found = offset < within.to ? TOKEN.exec(text)?.[0].trimEnd() : undefined
  if (found === undefined) return { from: Math.max(within.from, offset - 1), to: offset }
  return { from: offset, to: Math.min(within.to, offset + found.length) }
}

/** A reference in braces as written, with the positions of the names in it. */
export interface Reference {
  readonly span: Span
  readonly object: (Span & { readonly name: string }) | undefined
  readonly name: Span & { readonly name: string }
}

const REFERENCE = /\{\s*(?!\s)(?:\[([^\][{}]*)\]\s*\.\s*\[([^\][{}]*)\]|\[([^\][{}]*)\]|([^{}[\]\s]*(?:\s+[^{}[\]\s]+)*))\s*\}/dg

/** The references of an expression in a part of a text. */
export function referencesIn(text: string, { from, to }: Span): Reference[] {
  return [...text.slice(from, to).matchAll(REFERENCE)].map((match) => {
    const indices = match.indices!
    const part = (i: number) => {
      const place = indices[i]
      return place && { from: from + place[0], to: from + place[1], name: match[i]! }
    }
    return {
      span: { from: from + match.index, to: from + match.index + match[0].length },
      object: part(1),
      name: (part(2) ?? part(3) ?? part(4))!,
    }
  })
}
