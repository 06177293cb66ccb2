/** Functions of times, whose unit Snowflake reads as a word or as a text. */
import { body, type Reading, wordsOf } from '@grainline/importer-dbt/foreign'

type Call = NonNullable<Reading['call']>
type Write = Parameters<Call>[1]

/** `undefined` for another function, and for a unit that is not the same in every database. */
export function timeCall(name: string, args: readonly unknown[], write: Write): string | undefined {
  const call = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined
  const unit = unitOf(args[0])
  if (!call || args.length !== call.values || unit === undefined || !call.units.has(unit)) return undefined
  return `${call.name}('${unit}', ${args
    .slice(1)
    .map((each) => write(each, 'time'))
    .join(', ')})`
}

function unitOf(node: unknown): string | undefined {
  const text = (body(node, 'A_Const')?.['sval'] as { readonly sval?: unknown } | undefined)?.sval
  const words = wordsOf(body(node, 'ColumnRef')?.['fields'])
  const unit = typeof text === 'string' ? text : words.length === 1 ? words[0] : undefined
  return unit?.toLowerCase()
}

const units = (names: string): ReadonlySet<string> => new Set(names.split(' '))
// Weeks begin on another day with another setting there.
const UNITS = units('year quarter month day hour minute second')
const PARTS = units('year quarter month day hour minute')

const CALLS: Readonly<Record<string, { readonly name: string; readonly values: number; readonly units: ReadonlySet<string> }>> = {
  date_trunc: { name: 'date_trunc', values: 2, units: UNITS },
  date_part: { name: 'extract', values: 2, units: PARTS },
  datediff: { name: 'date_diff', values: 3, units: UNITS },
  timestampdiff: { name: 'date_diff', values: 3, units: UNITS },
  timediff: { name: 'date_diff', values: 3, units: UNITS },
}
