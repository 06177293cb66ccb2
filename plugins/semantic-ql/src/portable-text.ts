/** What engines read in different ways: a text with any of it may hold a statement that only one of them sees. */

/** Strings and quoted names, which end at the same place everywhere as long as nothing escapes within them. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`/g
const PLAIN = /^[\p{L}\p{N}\p{M}_ \t\r\n.,()=<>!+\-*/%|:~^]*$/u
/** A name in backticks is one in double quotes, as long as it is a name and nothing else. */
const BACKTICKED = /`([\p{L}\p{N}_]+(?:[ -][\p{L}\p{N}_]+)*)`/gu

/** Why the text is not read the same by all engines; `undefined` where it is. */
export function ambiguousText(text: string): string | undefined {
  if (/\\|'''|"""/.test(text)) return 'It holds a backslash or three quotes in a row, which not all engines read alike'
  const bare = text.replace(QUOTED, (quoted) => (quoted.startsWith('`') ? quoted.replace(BACKTICKED, 'x') : 'x'))
  if (/--|\/\*|\/\//.test(bare)) return 'It holds a comment'
  if (bare.replaceAll('::', '').includes(':')) return "It holds a ':'"
  const odd = [...bare].find((character) => !PLAIN.test(character))
  return odd === undefined ? undefined : `It holds '${odd}' outside of a string`
}

export const withPlainQuotes = (text: string): string =>
  text.replace(QUOTED, (quoted) => (quoted.startsWith('`') ? quoted.replace(BACKTICKED, '"$1"') : quoted))
