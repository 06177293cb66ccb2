import { type DataType, INT, STRING } from './data-type.js'

/** The values of a column of texts or of whole numbers that a model lists as true. */
export type TrueValues = readonly (string | number)[]

/** The type in which such values are stored. */
export const typeOfTrueValues = ([first]: TrueValues): DataType => (typeof first === 'number' ? INT : STRING)
