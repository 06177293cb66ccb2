/** Names of what is hidden from a principal. Queries are computed with them, and nobody can write or guess one. */
const HIDDEN = /hidden_[0-9a-f]{32}/g
const WHOLE = /^hidden_[0-9a-f]{32}$/

/** `digest`: at least 32 hexadecimal digits that nobody outside the process can know. */
export const hiddenName = (digest: string): string => `hidden_${digest.slice(0, 32)}`

export const isHiddenName = (name: string): boolean => WHOLE.test(name)

export const namesHidden = (text: string): boolean => text.includes('hidden_') && text.search(HIDDEN) >= 0

/** The text with nothing in place of each such name. */
export const withoutHiddenNames = (text: string): string => text.replace(HIDDEN, '…')

/** Each such name in a text. */
export const hiddenNamesIn = (text: string): readonly string[] => (text.includes('hidden_') ? (text.match(HIDDEN) ?? []) : [])
