import { bigquery } from '@grainline/dialect-bigquery'
import type { Witness } from '../witness.js'

/** Statements that googlesqlite 0.3.1 accepts and then computes wrongly, or crashes on; the manual of BigQuery differs. */
const FAULTS: readonly (readonly [form: RegExp, fault: string])[] = [
  [/\bSTRING_AGG\(/, 'googlesqlite dies of a list of NULLs alone'],
  [/\bNULLIF\((?!.*, 0\))/, 'googlesqlite dies of a NULLIF with NULL'],
  [/\bLIKE (LOWER\()?'[^']*[_\\]/, 'LIKE of googlesqlite knows neither _ nor an escape'],
  [/\bSUBSTR\(/, 'SUBSTR of googlesqlite counts bytes'],
  [/\bREPLACE\(/, 'REPLACE of googlesqlite finds an empty text everywhere'],
  [/, SECOND\)/, 'googlesqlite cuts seconds off, too'],
  [
    /\b(SUM|MIN|MAX)\((?!CAST\(.* AS FLOAT64\)\) OVER).*\) OVER \(/,
    'SUM, MIN and MAX of NUMERIC over a window of googlesqlite are wrong',
  ],
  [/\bROUND\(.*, -?\d+\)/, 'googlesqlite rounds a NUMERIC as a double'],
  [/\bTRUNC\(.*, -?\d+\)/, 'googlesqlite knows no TRUNC to digits'],
  [/\bDATE_ADD\(.* QUARTER\)/, 'googlesqlite adds quarters where it should take them away'],
  [/\bJSON_VALUE\(.*'\$\..*\..*'\)/, 'googlesqlite takes a number for an object that has any key'],
  [/(\(|, |ELSE |THEN |WHEN |[-+*/] )-[`(]/, 'googlesqlite cannot negate a column'],
  [/^(?!.*GROUP BY).*HAVING/s, 'googlesqlite cannot filter a total by another one'],
  [/\bMOD\(MOD\(/, 'googlesqlite takes 0 and 0.0 for two decimals'],
  [/(`\w+`\.`\w+`) AS `[^`]+`,\s+\1 AS `/, 'googlesqlite takes two columns of one expression for one'],
  [/\bABS\(`staged`.*CAST\('0\.5' AS FLOAT64\)/, 'googlesqlite makes a whole number of the median of two'],
  [/`digits_10000`/, 'googlesqlite makes all rows of which a few are asked'],
]

export const witness = {
  dialect: bigquery,
  engine: 'googlesqlite: the analyser of GoogleSQL, on SQLite',
  evidence: 'stand-in',
  unproven: (sql: string) => FAULTS.find(([form]) => form.test(sql))?.[1],
} satisfies Witness
