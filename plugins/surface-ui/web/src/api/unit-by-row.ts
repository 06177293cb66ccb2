/** The names of columns in the unit of a column. */
export const REFERENCE = /\{([^{}]*)\}/g

/** The unit of each row, from the texts of the columns that name it; `undefined` if it is the same in all rows. */
export function unitByRow(
  unit: string | undefined,
  textsOf: (column: string) => ((row: number) => string | null) | undefined,
): ((row: number) => string | undefined) | undefined {
  if (!unit?.includes('{')) return undefined
  return (row) => {
    let isKnown = true
    const text = unit.replace(REFERENCE, (_, column: string) => {
      const found = textsOf(column)?.(row) ?? null
      isKnown &&= found !== null
      return found ?? ''
    })
    return isKnown ? text : undefined
  }
}
