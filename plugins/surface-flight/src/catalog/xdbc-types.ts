/** The supported types as XDBC describes them, sorted by type code. */

/** The codes of `XdbcDataType`, which JDBC and ODBC share. */
const XDBC = { bigint: -5, bit: -7, decimal: 3, double: 8, varchar: 12, date: 91, time: 92, timestamp: 93 } as const
/** All date and time types share this code in `sql_data_type`; a subcode distinguishes them. */
const DATETIME = 9
const SUBCODE = { date: 1, time: 2, timestamp: 3, timestampWithZone: 5 } as const
const NULLABLE = 1
const SEARCHABLE = { basic: 2, full: 3 } as const

interface Described {
  readonly name: string
  readonly type: number
  readonly size: number | null
  readonly quote?: string
  readonly params?: readonly string[]
  readonly isText?: true
  readonly isNumber?: true
  readonly isExact?: true
  readonly scales?: readonly [least: number, most: number]
  readonly subcode?: number
}

const TYPES: readonly Described[] = [
  { name: 'boolean', type: XDBC.bit, size: 1 },
  { name: 'int', type: XDBC.bigint, size: 19, isNumber: true, isExact: true, scales: [0, 0] },
  {
    name: 'decimal',
    type: XDBC.decimal,
    size: 38,
    isNumber: true,
    isExact: true,
    params: ['precision', 'scale'],
    scales: [0, 38],
  },
  { name: 'float', type: XDBC.double, size: 15, isNumber: true },
  { name: 'json', type: XDBC.varchar, size: null, quote: "'", isText: true },
  { name: 'string', type: XDBC.varchar, size: null, quote: "'", isText: true },
  { name: 'date', type: XDBC.date, size: 10, quote: "'", subcode: SUBCODE.date },
  { name: 'time', type: XDBC.time, size: 15, quote: "'", subcode: SUBCODE.time, scales: [0, 6] },
  { name: 'timestamp', type: XDBC.timestamp, size: 26, quote: "'", subcode: SUBCODE.timestamp, scales: [0, 6] },
  { name: 'timestamp_tz', type: XDBC.timestamp, size: 32, quote: "'", subcode: SUBCODE.timestampWithZone, scales: [0, 6] },
]

export const XDBC_TYPES: readonly (readonly [name: string, type: number, ...rest: unknown[]])[] = TYPES.map((each) => [
  each.name,
  each.type,
  each.size,
  each.quote ?? null,
  each.quote ?? null,
  each.params ?? null,
  NULLABLE,
  each.isText ?? false,
  each.isText ? SEARCHABLE.full : SEARCHABLE.basic,
  each.isNumber ? false : null,
  each.isExact ?? false,
  each.isNumber ? false : null,
  each.name,
  each.scales?.[0] ?? null,
  each.scales?.[1] ?? null,
  each.subcode === undefined ? each.type : DATETIME,
  each.subcode ?? null,
  each.isNumber ? 10 : null,
  null,
])
