/** Errors of DuckDB in words about the statement. DuckDB's own text is their cause, and reaches no client. */
import { fail, GrainlineError } from '@grainline/core'
import { TOO_LONG } from './bounded-text.js'
import { tooMuch } from './memory-guard.js'

/** What happened, and what to write instead. */
interface Said {
  readonly what: string
  readonly hint: string
}

export function refuse(error: unknown): never {
  if (!(error instanceof Error) || error instanceof GrainlineError) throw error
  const text = (error.message.split(/\nLINE \d+:/)[0] ?? '').replaceAll(/\s+/g, ' ').trim()
  if (/^Out of Memory/i.test(text)) throw tooMuch()
  if (text.includes(TOO_LONG)) fail('EVALUATION_TOO_LARGE', `${TOO_LONG} in the outer statement`, { path: 'sql' })
  const { what, hint } = saidOf(text)
  return fail('EVALUATION_REFUSED', what, { path: 'sql', hint, cause: error })
}

function saidOf(text: string): Said {
  for (const [pattern, say] of SAYINGS) {
    const found = pattern.exec(text)
    if (found && !found.slice(1).some(isInternal)) return say(found.slice(1).map((part = '') => part))
  }
  return GENERAL
}

const GENERAL: Said = {
  what: 'The outer statement cannot be evaluated: an expression is outside GROUP BY or has a wrong type',
  hint: 'Put each model into a separate subquery, and write CAST where types differ.',
}

/** Names of relations and columns for the answers of models, which the client did not write. */
const isInternal = (name: string | undefined): boolean => /^(?:model_query_\d+|values|times|c\d+)$/.test(name ?? '')

const TYPES: Readonly<Record<string, string>> = {
  VARCHAR: 'a text',
  STRING_LITERAL: 'a text',
  BOOLEAN: 'a truth value',
  BOOL: 'a truth value',
  DATE: 'a date',
  TIME: 'a time of day',
  TIMESTAMP: 'a timestamp',
  'TIMESTAMP WITH TIME ZONE': 'an instant',
  INTERVAL: 'an interval',
}

const typed = (type: string): string => TYPES[type] ?? 'a number'
const arguments_ = (types: string): string =>
  types
    .split(/, (?![^(]*\))/)
    .map(typed)
    .join(' and ')
const outOfGroups = (name: string): Said => ({
  what: `'${name}' is neither in GROUP BY nor inside an aggregate of the outer statement`,
  hint: `Add it to GROUP BY, or write any_value("${name}"), min("${name}") or max("${name}").`,
})
const unfit = (value: string, type: string): Said => ({
  what: `The outer statement reads '${value.slice(0, 60)}' as ${type}, and it is none`,
  hint: 'Compare values of the same type, or filter such values out before the CAST.',
})
const mixed = (left: string, right: string): Said => ({
  what: `The outer statement uses ${typed(left)} where it has ${typed(right)}`,
  hint: 'Write CAST so that both have one type.',
})

/** By DuckDB's texts. A text that is not here has the general sentence. */
const SAYINGS: readonly (readonly [RegExp, (found: readonly string[]) => Said])[] = [
  [/column "?([^"]+?)"? must appear in the GROUP BY clause/, ([name = '']) => outOfGroups(name)],
  [/Referenced column "([^"]+)" not found(?:.*Candidate bindings: (.*))?/, ([name = '', near = '']) => unknownColumn(name, near)],
  [
    /(?:Table|Values list) "[^"]+" does not have a column named "([^"]+)"(?:.*Candidate bindings: :? ?(.*))?/,
    ([name = '', near = '']) => unknownColumn(name, near),
  ],
  [/Column "([^"]+)" does not exist on (?:left|right) side of join/, ([name = '']) => unknownColumn(name, '')],
  [
    /Referenced table "([^"]+)" not found/,
    ([name = '']) => ({ what: `'${name}' is not a relation of this SELECT`, hint: 'Use an alias of its FROM clause.' }),
  ],
  [
    /Ambiguous reference to column name "([^"]+)"/,
    ([name = '']) => ({
      what: `'${name}' is a column of several relations of this SELECT`,
      hint: `Write the alias of its relation before it: t."${name}".`,
    }),
  ],
  [
    /Ambiguous reference to table "([^"]+)"/,
    ([name = '']) => ({ what: `Two relations are called '${name}'`, hint: 'Give each a different alias.' }),
  ],
  [/Unimplemented type for cast \(([^)]*?)(?:\([^)]*\))? -> ([^)]*?)(?:\([^)]*\))?\)/, ([from = '', to = '']) => mixed(from, to)],
  [
    /Cannot (?:mix values|combine types|compare values) of (?:type )?([A-Z_ ]+?)(?:\([^)]*\))? and (?:type )?([A-Z_ ]+?)(?:\([^)]*\))?(?: in| -|$)/,
    ([left = '', right = '']) => mixed(left, right),
  ],
  [/invalid (date|timestamp) field format: "([^"]*)"/, ([type = '', value = '']) => unfit(value, `a ${type}`)],
  [/(date|timestamp) field value out of range: "([^"]*)"/, ([type = '', value = '']) => unfit(value, `a ${type}`)],
  [/Could not convert string '(.*)' to ([A-Z0-9]+)/, ([value = '', type = '']) => unfit(value, typed(type))],
  [/Could not cast value (\S+) to /, ([value = '']) => unfit(value, 'a number of another size')],
  [/Date out of range: (\S+)/, ([value = '']) => unfit(value, 'a date')],
  [
    /No function matches the given name and argument types '(\S+?)\((.*?)\)'\./,
    ([name = '', types = '']) => ({
      what: `${name.toUpperCase()} does not take ${types === '' ? 'no argument' : arguments_(types)} in the outer statement`,
      hint: 'Write CAST, or read the value in the subquery on the model.',
    }),
  ],
  [
    /More than one row returned by a subquery/,
    () => ({
      what: 'A subquery that is used as a value has more than one row',
      hint: 'Aggregate in it, or write IN (SELECT …).',
    }),
  ],
  [
    /Set operations can only apply/,
    () => ({
      what: 'The SELECTs of a UNION, INTERSECT or EXCEPT have different numbers of columns',
      hint: 'Select as many columns in each.',
    }),
  ],
  [
    /WHERE clause cannot contain (aggregates|window functions)/,
    ([kind = '']) => ({
      what: `WHERE of the outer statement contains ${kind}`,
      hint: kind === 'aggregates' ? 'Write HAVING.' : 'Select it in a subselect, and write its condition outside.',
    }),
  ],
  [
    /aggregate function calls cannot be nested/,
    () => ({ what: 'An aggregate of the outer statement contains another', hint: 'Compute the inner one in a subselect.' }),
  ],
  [
    /ORDER term out of range - should be between 1 and (\d+)/,
    ([most = '']) => ({
      what: `ORDER BY names a position that the SELECT does not have: it has ${most}`,
      hint: 'Order by a column.',
    }),
  ],
  [
    /specifier "([^"]*)" not recognized/,
    ([unit = '']) => ({
      what: `'${unit.slice(0, 60)}' is not a unit of time`,
      hint: "Write one such as 'month', 'day' or 'hour'.",
    }),
  ],
  [
    /Overflow in|out of range|cannot take/i,
    () => ({
      what: 'A number of the outer statement is too large, or outside of what its function takes',
      hint: 'Write CAST(… AS DOUBLE PRECISION), or filter such rows out.',
    }),
  ],
]

function unknownColumn(name: string, near: string): Said {
  const names = [...near.matchAll(/"([^"]+)"/g)].flatMap(([, each = '']) => (isInternal(each) ? [] : [`'${each}'`]))
  return {
    what: `'${name}' is not a column of the relations in FROM`,
    hint: names.length > 0 ? `Columns are, for example, ${names.slice(0, 5).join(', ')}.` : 'Select it in the subquery.',
  }
}
