/** The grammar of PostgreSQL cuts longer names, which would then be other ones. */
export const MOST_BYTES = 63

/** A name of the tree that is longer in the text; undefined if there is none. */
export function cutName(sql: string, tree: unknown): string | undefined {
  const long = (sql.match(TOKENS) ?? []).filter((token) => !/^(?:E?'|\$|--|\/\*)/i.test(token) && bytesOf(token) > MOST_BYTES)
  if (long.length === 0) return undefined
  const names = long.map((token) => token.replace(/^"|"$/g, '').replaceAll('""', '"').toLowerCase())
  return wordsIn(tree).find((word) => bytesOf(word) > MOST_BYTES - 4 && names.some((name) => isCut(word, name)))
}

const bytesOf = (text: string): number => Buffer.byteLength(text)

const isCut = (word: string, name: string): boolean => bytesOf(name) > MOST_BYTES && name.startsWith(word.toLowerCase())

/** Texts and comments, and names with quotes or without. */
const TOKENS = new RegExp(
  [
    String.raw`E'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|\$\$.*?\$\$`,
    String.raw`--[^\n]*|/\*.*?\*/`,
    String.raw`"(?:[^"]|"")*"|[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*`,
  ].join('|'),
  'gis',
)

/** The names in a tree, and its texts. */
function wordsIn(tree: unknown): readonly string[] {
  const words: string[] = []
  const ahead: unknown[] = [tree]
  for (const node of ahead)
    if (typeof node === 'string') words.push(node)
    else if (typeof node === 'object' && node !== null) ahead.push(...Object.values(node))
  return words
}
