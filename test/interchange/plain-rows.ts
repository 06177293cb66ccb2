/** Rows of two statements in one form: numbers to nine digits, moments as days, and in one order. The types of the two statements differ. */
export const plainRows = (rows: readonly (readonly unknown[])[], isOrdered = false): readonly (readonly unknown[])[] => {
  const plain = rows.map((row) => row.map(plainValue))
  return isOrdered ? plain : plain.toSorted(byText)
}

function plainValue(value: unknown): unknown {
  const text = String(value)
  if (/^-?\d+(\.\d+)?(e-?\d+)?$/.test(text)) return Number(Number(text).toPrecision(9))
  return value === null ? null : text.replace(/ 00:00:00$/, '')
}

const byText = (a: readonly unknown[], b: readonly unknown[]) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
