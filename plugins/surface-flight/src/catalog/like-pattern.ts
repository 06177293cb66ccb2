/** Matches a pattern of SQL's LIKE: `%` is any text, `_` is one character, and a backslash escapes. Without a pattern every text matches. */
export function likePattern(pattern: string | undefined): (text: string) => boolean {
  if (pattern === undefined) return () => true
  const parts = tokensOf(pattern)
  return (text) => matches([...text], parts)
}

type Token = { readonly kind: 'any' | 'one' } | { readonly kind: 'is'; readonly character: string }

function tokensOf(pattern: string): readonly Token[] {
  const tokens: Token[] = []
  const characters = [...pattern]
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!
    if (character === '%') tokens.push({ kind: 'any' })
    else if (character === '_') tokens.push({ kind: 'one' })
    else tokens.push({ kind: 'is', character: character === '\\' ? (characters[++at] ?? '\\') : character })
  }
  return tokens
}

/** Backtracks only to the last `%`, so that the time is at most the product of both lengths. */
function matches(text: readonly string[], tokens: readonly Token[]): boolean {
  let [at, token, restart, restartAt] = [0, 0, -1, 0]
  while (at < text.length) {
    const current = tokens[token]
    if (current?.kind === 'any') {
      restart = token++
      restartAt = at
    } else if (current?.kind === 'one' || (current?.kind === 'is' && current.character === text[at])) {
      token++
      at++
    } else if (restart >= 0) {
      token = restart + 1
      at = ++restartAt
    } else return false
  }
  return tokens.slice(token).every(({ kind }) => kind === 'any')
}
