import { type DataType, type RecordBatch, type Value, valueAt } from '@grainline/core/format'

/** How values are shown in JSON (OData JSON 4.0, 7.1). */
export interface ValueForm {
  /** Whole numbers of 64 bits and decimals are texts, for clients that read numbers as doubles. */
  readonly isCompatible: boolean
}

type Write = (row: number) => string

/** For each column a function that returns the value of a row as JSON. */
export function cellsOf({ schema, columns }: RecordBatch, form: ValueForm): readonly Write[] {
  return columns.map((column, i) => {
    const { type } = schema[i]!
    const show = shownBy(type, form)
    return (row) => {
      const value = valueAt(column, row, type)
      return value === null ? 'null' : show(value)
    }
  })
}

type Show = (value: NonNullable<Value>) => string

const quoted: Show = (value) => JSON.stringify(String(value))

function shownBy(type: DataType, { isCompatible }: ValueForm): Show {
  switch (type.kind) {
    case 'decimal':
    case 'int':
      return isCompatible ? quoted : String
    case 'boolean':
      return String
    case 'float':
      return (value) => double(Number(value))
    case 'date':
      return finite('')
    case 'timestamp':
      return finite('Z')
    case 'timestamp_tz':
      return finite('')
    default:
      return quoted
  }
}

/** OData has no infinite times. */
const finite =
  (ending: string): Show =>
  (value) =>
    String(value).endsWith('infinity') ? 'null' : JSON.stringify(`${value}${ending}`)

/** Numbers that JSON cannot say have names in OData. */
function double(value: number): string {
  if (Number.isFinite(value)) return String(value)
  if (Number.isNaN(value)) return '"NaN"'
  return value > 0 ? '"INF"' : '"-INF"'
}
