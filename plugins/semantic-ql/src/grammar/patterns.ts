/** Patterns of SQL in the two forms that models know: LIKE with a backslash as escape, and case-sensitive regular expressions. */

/** The LIKE pattern with a backslash in place of `escapeBy`; an empty one escapes nothing. */
export function withBackslash(pattern: string, escapeBy: string): string {
  let text = ''
  for (let at = 0; at < pattern.length; at++) {
    const escaped = pattern[at] === escapeBy && at + 1 < pattern.length
    const character = pattern[escaped ? ++at : at]
    const isSpecial = character === '\\' || (escaped && (character === '%' || character === '_'))
    text += isSpecial ? `\\${character}` : character
  }
  return text
}

/** The pattern of SIMILAR TO as a regular expression; `%` and `_` have the meaning of LIKE. */
export function similarPattern(pattern: string, escapeBy: string): string {
  let text = ''
  let isClass = false
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at)
    if (character === escapeBy && at + 1 < pattern.length) text += literal(pattern.charAt(++at))
    else if (isClass) {
      isClass = character !== ']'
      text += character === '\\' ? '\\\\' : character
    } else if (character === '[') {
      isClass = true
      text += character
    } else text += SIMILAR[character] ?? (/[.^$\\]/.test(character) ? `\\${character}` : character)
  }
  return `^(?:${text})$`
}

const SIMILAR: Readonly<Record<string, string>> = { '%': '.*', _: '.', '(': '(?:' }

const literal = (character: string): string => (/[\\^$.*+?()[\]{}|]/.test(character) ? `\\${character}` : character)

/** The case-insensitive regular expression: each letter is a class of both of its forms, which every engine understands. */
export function caselessPattern(pattern: string): string {
  let text = ''
  let isClass = false
  for (let at = 0; at < pattern.length; at++) {
    const group = isClass ? undefined : /^\((?:\?(?:[:=!]|<[=!]))/.exec(pattern.slice(at, at + 4))?.[0]
    const range = isClass ? /^([a-z])-([a-z])|^([A-Z])-([A-Z])/.exec(pattern.slice(at, at + 3))?.[0] : undefined
    const kept = group ?? (pattern[at] === '\\' ? pattern.slice(at, at + 2) : undefined)
    const whole = kept ?? range
    if (whole !== undefined) {
      text += kept ?? `${whole.toLowerCase()}${whole.toUpperCase()}`
      at += whole.length - 1
      continue
    }
    const character = pattern.charAt(at)
    if (character === '[' && !isClass) isClass = true
    else if (character === ']') isClass = false
    const both = formsOf(character)
    text += isClass || both.length === 1 ? both : `[${both}]`
  }
  return text
}

const formsOf = (character: string): string => {
  const forms = new Set([character.toLowerCase(), character.toUpperCase(), character])
  return [...forms].filter((form) => form.length === 1).join('')
}
