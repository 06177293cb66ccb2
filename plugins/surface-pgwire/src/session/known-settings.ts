/** The settings that every connection knows, with their defaults and valid values. */
import { refuse } from '../wire/pg-error.js'
import { readTimeZone } from './time-zone.js'

export interface KnownSetting {
  /** The name in PostgreSQL's spelling. */
  readonly name: string
  readonly initial: string
  /** The client is informed at the start and after each change. */
  readonly reported?: true
  /** Clients cannot set it. */
  readonly fixed?: true
  /** Converts a text to a value in PostgreSQL's spelling, or to `undefined` if it is invalid. `current` is the previous value. */
  readonly read?: (text: string, current: string) => string | undefined
}

/** The version of PostgreSQL whose behaviour and catalogue are offered. */
export const SERVER_VERSION = '18.3'

const onOff = (text: string): string | undefined => {
  if (/^(on|true|yes|1|t|y)$/i.test(text)) return 'on'
  return /^(off|false|no|0|f|n)$/i.test(text) ? 'off' : undefined
}
const oneOf = (...words: readonly string[]) => {
  return (text: string): string | undefined => words.find((word) => word.toLowerCase() === text.trim().toLowerCase())
}
const within = (least: number, most: number) => {
  return (text: string): string | undefined => {
    const value = /^[+-]?\d+$/.test(text.trim()) ? Number(text) : Number.NaN
    return value >= least && value <= most ? String(value) : undefined
  }
}
/** A duration in milliseconds, or with a unit. */
const duration = (text: string): string | undefined => {
  const [, digits, unit = 'ms'] = /^(\d{1,9})\s*(us|ms|s|min|h|d)?$/.exec(text.trim()) ?? []
  if (digits === undefined) return undefined
  const factor = { us: 0.001, ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 }[unit] ?? 1
  return String(Math.round(Number(digits) * factor))
}

const isolation = oneOf('serializable', 'repeatable read', 'read committed', 'read uncommitted')
const anything = (text: string): string => text

/** The style and the order may be set together or separately. */
function dateStyle(text: string, current: string): string | undefined {
  let [style = 'ISO', order = 'MDY'] = current.split(', ')
  for (const word of text.split(',').map((part) => part.trim().toLowerCase())) {
    if (word === 'iso') style = 'ISO'
    else if (word === 'sql') style = 'SQL'
    else if (word === 'postgres' || word === 'postgresql') style = 'Postgres'
    else if (word === 'german') [style, order] = ['German', 'DMY']
    else if (word === 'mdy' || word === 'us' || word === 'noneuropean') order = 'MDY'
    else if (word === 'dmy' || word === 'euro' || word === 'european') order = 'DMY'
    else if (word === 'ymd') order = 'YMD'
    else if (word !== 'default') return undefined
  }
  return `${style}, ${order}`
}

const encoding = (text: string): string | undefined => {
  if (/^'?(utf-?8|unicode)'?$/i.test(text.trim())) return 'UTF8'
  return refuse('22023', `invalid value for parameter "client_encoding": "${text}"`, { hint: 'UTF8 is the only encoding.' })
}

/** Whether the statements of a connection are answered from rollup tables. */
export const ROLLUPS = 'grainline.rollups'
export const ROLLUP_CHOICES = ['allow', 'never', 'require'] as const
export type RollupChoice = (typeof ROLLUP_CHOICES)[number]

const known: readonly KnownSetting[] = [
  { name: ROLLUPS, initial: '', read: (text) => (text === '' ? '' : oneOf(...ROLLUP_CHOICES)(text)) },
  { name: 'server_version', initial: SERVER_VERSION, reported: true, fixed: true },
  { name: 'server_encoding', initial: 'UTF8', reported: true, fixed: true },
  { name: 'client_encoding', initial: 'UTF8', reported: true, read: encoding },
  { name: 'application_name', initial: '', reported: true, read: anything },
  { name: 'DateStyle', initial: 'ISO, MDY', reported: true, read: dateStyle },
  { name: 'TimeZone', initial: 'UTC', reported: true, read: readTimeZone },
  {
    name: 'IntervalStyle',
    initial: 'postgres',
    reported: true,
    read: oneOf('postgres', 'postgres_verbose', 'sql_standard', 'iso_8601'),
  },
  { name: 'integer_datetimes', initial: 'on', reported: true, fixed: true },
  { name: 'standard_conforming_strings', initial: 'on', reported: true, read: oneOf('on') },
  { name: 'is_superuser', initial: 'off', reported: true, fixed: true },
  { name: 'session_authorization', initial: '', reported: true, fixed: true },
  { name: 'in_hot_standby', initial: 'off', reported: true, fixed: true },
  { name: 'default_transaction_read_only', initial: 'on', reported: true, read: onOff },
  { name: 'scram_iterations', initial: '4096', reported: true, fixed: true },
  { name: 'search_path', initial: '"$user", public', reported: true, read: anything },
  { name: 'extra_float_digits', initial: '1', read: within(-15, 3) },
  { name: 'bytea_output', initial: 'hex', read: oneOf('hex', 'escape') },
  { name: 'xmloption', initial: 'content', read: oneOf('content', 'document') },
  { name: 'statement_timeout', initial: '0', read: duration },
  { name: 'lock_timeout', initial: '0', read: duration },
  { name: 'transaction_timeout', initial: '0', read: duration },
  { name: 'idle_in_transaction_session_timeout', initial: '0', read: duration },
  { name: 'idle_session_timeout', initial: '0', read: duration },
  {
    name: 'client_min_messages',
    initial: 'notice',
    read: oneOf('debug5', 'debug4', 'debug3', 'debug2', 'debug1', 'log', 'notice', 'warning', 'error'),
  },
  { name: 'transaction_isolation', initial: 'read committed', read: isolation },
  { name: 'default_transaction_isolation', initial: 'read committed', read: isolation },
  { name: 'transaction_read_only', initial: 'on', read: onOff },
  { name: 'transaction_deferrable', initial: 'off', read: onOff },
  { name: 'default_transaction_deferrable', initial: 'off', read: onOff },
  { name: 'escape_string_warning', initial: 'on', read: onOff },
  { name: 'backslash_quote', initial: 'safe_encoding', read: oneOf('safe_encoding', 'on', 'off') },
  { name: 'quote_all_identifiers', initial: 'off', read: onOff },
  { name: 'row_security', initial: 'on', read: onOff },
  { name: 'synchronize_seqscans', initial: 'on', read: onOff },
  { name: 'default_tablespace', initial: '', read: anything },
  { name: 'check_function_bodies', initial: 'on', read: onOff },
  { name: 'array_nulls', initial: 'on', read: onOff },
  { name: 'server_version_num', initial: '180003', fixed: true },
  { name: 'lc_collate', initial: 'C.UTF-8', fixed: true },
  { name: 'lc_ctype', initial: 'C.UTF-8', fixed: true },
  { name: 'lc_monetary', initial: 'C', read: anything },
  { name: 'lc_messages', initial: 'C', read: anything },
  { name: 'max_identifier_length', initial: '63', fixed: true },
  { name: 'max_index_keys', initial: '32', fixed: true },
  { name: 'block_size', initial: '8192', fixed: true },
  { name: 'ssl', initial: 'off', fixed: true },
  { name: 'work_mem', initial: '4MB', read: anything },
  { name: 'maintenance_work_mem', initial: '64MB', read: anything },
  { name: 'cursor_tuple_fraction', initial: '0.1', read: anything },
  { name: 'optimize_bounded_sort', initial: 'on', read: onOff },
  { name: 'jit', initial: 'off', read: onOff },
  { name: 'geqo', initial: 'on', read: onOff },
  { name: 'plan_cache_mode', initial: 'auto', read: oneOf('auto', 'force_generic_plan', 'force_custom_plan') },
]

export const KNOWN_SETTINGS: ReadonlyMap<string, KnownSetting> = new Map(
  known.map((setting) => [setting.name.toLowerCase(), setting]),
)
