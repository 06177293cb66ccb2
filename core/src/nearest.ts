/** The known names closest to `wanted`, best first: at most `count`, none further than a third of its length (two edits at least). */
export function nearest(wanted: string, known: Iterable<string>, count = 3): string[] {
  const target = wanted.toLowerCase()
  const limit = Math.max(2, Math.floor(wanted.length / 3))
  const scored: { name: string; score: number }[] = []
  for (const name of known) {
    const candidate = name.toLowerCase()
    if (Math.abs(candidate.length - target.length) > limit) continue
    const score = editDistance(target, candidate)
    if (score <= limit) scored.push({ name, score })
  }
  scored.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1))
  return scored.slice(0, count).map((entry) => entry.name)
}

/** `; did you mean 'X'?` or nothing: the tail of a message about an unknown name. */
export function didYouMean(suggestions: readonly string[]): string {
  return suggestions.length > 0 ? `; did you mean '${suggestions[0]}'?` : ''
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    row = next
  }
  return row[b.length]!
}
