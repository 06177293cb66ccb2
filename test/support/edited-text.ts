/** Random damage of texts that parsers read. */
import fc from 'fast-check'

/** Signs that a parser may take for white space, for a line break or for no text at all. */
export const STRANGE_SIGNS = ['\r', '\t', '💧', '\ud800', '\u2028', '\u00a0', '\ufeff', '\x85'] as const

interface Edit {
  readonly at: number
  readonly cut: number
  readonly put: string
}

/** Edits that cut a few characters anywhere and put one of these texts there, or nothing. */
export const editsWith = (texts: readonly string[]) =>
  fc.array(fc.record({ at: fc.nat(9999), cut: fc.nat(3), put: fc.constantFrom('', ...texts) }), { maxLength: 2 })

export const edited = (text: string, edits: readonly Edit[]): string =>
  edits.reduce((before, { at, cut, put }) => {
    const start = at % Math.max(1, before.length)
    return before.slice(0, start) + put + before.slice(start + cut)
  }, text)
