/** The size limit of a document. Characters are those of Unicode, so that one outside the basic plane counts once. */
export const MAX_CHARACTERS = 5_000_000

/** Whether a text has more than `most` characters; counts them only if its length does not decide it. */
export function hasMoreCharacters(text: string, most: number = MAX_CHARACTERS): boolean {
  if (text.length <= most) return false
  return text.length > 2 * most || charactersOf(text) > most
}

export function charactersOf(text: string): number {
  let pairs = 0
  for (let i = 1; i < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) pairs++
  }
  return text.length - pairs
}
