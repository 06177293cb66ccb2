/** Words that other formats, and other languages, give a meaning. */
const WORDS = [
  '__proto__',
  'constructor',
  'null',
  '[]',
  '{}',
  '-1',
  "''",
  '&a',
  '*a',
  'true',
  'ref(',
  '{{',
  '1e999',
  'toString',
  '2026-01-01',
]

/** The text with up to three changes. */
export function broken(text: string, random: (below: number) => number): string {
  const lines = text.split('\n')
  for (let times = 1 + random(3); times > 0; times--) {
    const at = random(lines.length)
    const line = lines[at] ?? ''
    const words = line.match(/[\w']+/g) ?? ['']
    const word = words[random(words.length)] ?? ''
    const change = random(5)
    if (change === 0) lines.splice(at, 1)
    else if (change === 1) lines.splice(at, 0, lines[random(lines.length)] ?? '')
    else if (change === 2) lines[at] = line.slice(0, random(line.length + 1))
    else lines[at] = line.replace(word, () => WORDS[random(WORDS.length)] ?? '')
  }
  return lines.join('\n')
}

/** A generator of whole numbers below a limit. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
