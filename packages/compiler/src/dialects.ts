import { dialectByName } from './dialect-by-name.js'

/** The names of the dialects, in the order of the alphabet. */
export const dialects: readonly string[] = [...dialectByName.keys()]
