import { namesHidden } from './hidden-name.js'

/**
 * The known names closest to `wanted`, best first: at most `count`, none further than `edits`, by default a third of its length (at least
 * two). Only the first hundred characters of names, and a limited number of names, are compared, so that a hostile name or list costs
 * milliseconds.
 */
export function nearest(wanted: string, known: Iterable<string>, count = 3, edits?: number): string[] {
  const target = beginning(wanted)
  const limit = edits ?? Math.max(2, Math.floor(target.length / 3))
  const letters = lettersOf(target)
  const likely: { name: string; candidate: string; least: number }[] = []
  let steps = MOST_STEPS
  for (const name of known) {
    if (Math.abs(Math.min(name.length, COMPARED) - target.length) > limit || namesHidden(name)) continue
    const candidate = beginning(name)
    steps -= candidate.length
    if (steps < 0) break
    const least = leastEdits(candidate, letters, target.length)
    if (least <= limit) likely.push({ name, candidate, least })
  }
  // The most likely ones first: names that are not reached are no nearer than the others.
  likely.sort((a, b) => a.least - b.least)
  const scored: { name: string; score: number }[] = []
  for (const { name, candidate } of likely) {
    steps -= target.length * candidate.length
    if (steps < 0) break
    const score = editDistance(target, candidate)
    if (score <= limit) scored.push({ name, score })
  }
  scored.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1))
  return scored.slice(0, count).map((entry) => entry.name)
}

/** How often each letter occurs, by its code modulo 64. */
function lettersOf(text: string): Int16Array {
  const letters = new Int16Array(LETTERS)
  for (let i = 0; i < text.length; i++) letters[text.charCodeAt(i) % LETTERS]! += 1
  return letters
}

/** Each letter that one text has and the other lacks needs an edit. For most pairs of names that is enough to reject them. */
function leastEdits(candidate: string, letters: Int16Array, length: number): number {
  const own = lettersOf(candidate)
  let common = 0
  for (let i = 0; i < LETTERS; i++) common += Math.min(own[i]!, letters[i]!)
  return Math.max(length, candidate.length) - common
}

/** `; did you mean 'X'?` or an empty text: the end of a message about an unknown name. */
export function didYouMean(suggestions: readonly string[]): string {
  return suggestions.length > 0 ? `; did you mean '${suggestions[0]}'?` : ''
}

/** A name as a message may repeat it: a client that sent a megabyte does not get it back. */
export function shown(name: string): string {
  return name.length > COMPARED ? `${name.slice(0, COMPARED)}…` : name
}

const COMPARED = 100
/** The number of steps of the inner loops; a few milliseconds. */
const MOST_STEPS = 100_000
const LETTERS = 64

const beginning = (name: string): string => name.slice(0, COMPARED).toLowerCase()

/** One row of distances, kept between calls: names have at most `COMPARED` characters. */
const row = new Uint8Array(COMPARED + 1)

function editDistance(a: string, b: string): number {
  for (let j = 0; j <= b.length; j++) row[j] = j
  for (let i = 1; i <= a.length; i++) {
    const letter = a.charCodeAt(i - 1)
    let [diagonal, left] = [i - 1, i]
    row[0] = i
    for (let j = 1; j <= b.length; j++) {
      const above = row[j]!
      left = letter === b.charCodeAt(j - 1) ? diagonal : 1 + Math.min(diagonal, left, above)
      diagonal = above
      row[j] = left
    }
  }
  return row[b.length]!
}
