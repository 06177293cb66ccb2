/** The grammar of SQL writes names without quotes in small letters; the text says how each of them is spelled. */
export function spellings(sql: string): (word: string) => string {
  // A word in a text in quotes is no name.
  const named = sql.replaceAll(/'[^']*'/g, "''")
  const quoted = new Set<string>()
  const plain = named.replaceAll(QUOTED, (whole) => {
    quoted.add(whole.slice(1, -1).replaceAll('""', '"'))
    return ' '
  })
  const written = new Map<string, string>()
  for (const [word] of plain.matchAll(WORD)) if (!written.has(word.toLowerCase())) written.set(word.toLowerCase(), word)
  return (word) => (quoted.has(word) ? word : (written.get(word.toLowerCase()) ?? word))
}

const QUOTED = /"(?:[^"]|"")+"/g
const WORD = /[\p{L}\p{N}_$]+/gu
