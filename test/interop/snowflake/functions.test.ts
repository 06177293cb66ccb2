import t from 'tap'
import { functionsOn } from '../suites.js'
import { openEngine } from './engine.js'

const TRIM = 'fakesnow drops the characters that TRIM takes off'
const PAD = 'fakesnow makes 64 bits of every INTEGER, which DuckDB’s LPAD does not take'
const UNTYPED = 'fakesnow does not know the type of a JSON value'

await functionsOn(t, openEngine, {
  'trim({a}) of string': TRIM,
  'ltrim({a}) of string': TRIM,
  'rtrim({a}) of string': TRIM,
  'lpad({a}, {b}, {c}) of string, int, string': PAD,
  'rpad({a}, {b}, {c}) of string, int, string': PAD,
  'upper({a}) of string': 'fakesnow is DuckDB, whose upper case of ß is ẞ',
  'CAST({a} AS decimal(18, 2)) of float': 'fakesnow casts the double itself: 751.215 is a little less',
  "json_value({a}, '$.k') of json": UNTYPED,
  'to_char_iso({a}) of timestamp': 'fakesnow ignores the format of TO_CHAR',
  'parse_timestamp({a}) of string': 'fakesnow has no TRY_TO_TIMESTAMP_NTZ',
})
