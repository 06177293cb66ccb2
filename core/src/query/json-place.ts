/** The line and column where a text stops being JSON, counted from 1. Only some versions of Node report it. */
export function jsonPlace(text: string): { readonly line: number; readonly column: number } {
  const before = text.slice(0, soundLength(text))
  const line = before.split('\n').length
  return { line, column: before.length - before.lastIndexOf('\n') }
}

const SPACE = /[ \t\n\r]*/y
const SCALAR =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in texts.
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in texts.
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y

/** The length of the longest prefix that can begin a JSON text. It uses no recursion, because a hostile text is deeply nested. */
function soundLength(text: string): number {
  let at = 0
  const open: ('{' | '[')[] = []
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at += found[0].length
    return found !== null
  }
  const key = (): boolean => {
    take(SPACE)
    if (!take(STRING)) return false
    take(SPACE)
    if (text[at] !== ':') return false
    at++
    return true
  }
  /** After a value: commas and closing brackets, until the next value. False if the text ends or is invalid. */
  const next = (): boolean => {
    for (;;) {
      take(SPACE)
      const last = open.at(-1)
      if (last === undefined) return false
      if (text[at] === (last === '{' ? '}' : ']')) {
        at++
        open.pop()
      } else if (text[at] === ',') {
        at++
        return last === '[' || key()
      } else return false
    }
  }
  for (;;) {
    take(SPACE)
    const first = text[at]
    if (first === '{' || first === '[') {
      at++
      take(SPACE)
      if (text[at] === (first === '{' ? '}' : ']')) {
        at++
        if (!next()) return at
        continue
      }
      open.push(first)
      if (first === '{' && !key()) return at
    } else if (!take(SCALAR) || !next()) return at
  }
}
