import type { Column } from '../api/read-arrow.js'
import { REFERENCE } from '../api/unit-by-row.js'

/** The heading of a column: its name and its unit, or the name of the column that has the unit of each row. */
export const headingOf = ({ name, unit }: Pick<Column, 'name' | 'unit'>): string =>
  unit === undefined ? name : `${name} (${unit.replace(REFERENCE, '$1')})`
