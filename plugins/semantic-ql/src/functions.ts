/** Functions of SQL and of tools as functions of the catalogue. */
import { entryOf, lastOf } from '@grainline/core'
import {
  binaryOf as binary,
  callOf as call,
  DATE,
  didYouMean,
  FUNCTION_ALIASES,
  type Grain,
  INT,
  isTemporal,
  literalOf as literal,
  nameOfGrain,
  nearest,
  STRING,
  TIME_UNITS,
} from '@grainline/core/language'

import { type FuncCall, functionName, type Node } from './grammar/node.js'
import { epochOf, folded, momentExpr } from './moments.js'
import { type ExpressionReader, isLiteral, type NameExpr, type NameLeaf, placeOf, typeOfExpr } from './reader.js'
import { refuse, unsupported } from './refusal.js'

/** Another name for the same. */
const RENAMED: Readonly<Record<string, string>> = {
  substr: 'substring',
  btrim: 'trim',
  len: 'length',
  ucase: 'upper',
  lcase: 'lower',
  ifnull: 'coalesce',
  nvl: 'coalesce',
  datetrunc: 'date_trunc',
  datediff: 'date_diff',
  dateadd: 'date_add',
  date_part: 'extract',
  datepart: 'extract',
  regexp_like: 'regexp_matches',
  curdate: 'current_date',
}

const unit = (name: string): NameExpr => literal(name, STRING)
const days = (from: NameExpr, to: NameExpr): NameExpr => call('date_diff', unit('day'), from, to)
/** 2000-01-02 was a Sunday; the remainder of a negative number is negative. */
const weekday = (moment: NameExpr, sunday: string): NameExpr => {
  const passed = call('mod', days(literal(sunday, DATE), call('date_trunc', unit('day'), moment)), literal(7, INT))
  return call('mod', binary('+', passed, literal(7, INT)), literal(7, INT))
}

const dayOfWeek = (moment: NameExpr): NameExpr => weekday(moment, '2000-01-02')
const dayOfYear = (moment: NameExpr): NameExpr =>
  binary('+', days(call('date_trunc', unit('year'), moment), call('date_trunc', unit('day'), moment)), literal(1, INT))

/** Parts of a timestamp without a unit in the catalogue. */
const PARTS: Readonly<Record<string, (moment: NameExpr) => NameExpr>> = {
  dow: dayOfWeek,
  isodow: (moment) => binary('+', weekday(moment, '2000-01-03'), literal(1, INT)),
  // A week belongs to the year of its Thursday.
  isoyear: (moment) => {
    const toThursday = binary('-', literal(3, INT), weekday(moment, '2000-01-03'))
    return call('extract', unit('year'), call('date_add', unit('day'), toThursday, call('date_trunc', unit('day'), moment)))
  },
  doy: dayOfYear,
}

/** A negative count leaves out as many characters at the other end, as in PostgreSQL. */
function fromEnd(text: NameExpr, count: NameExpr): NameExpr {
  if (isLiteral(count) && Number(count.value) >= 0) return count
  const all = call('length', text)
  const negative = binary('<', count, literal(0, INT))
  return {
    kind: 'case',
    branches: [{ when: negative, then: call('greatest', binary('+', all, count), literal(0, INT)) }],
    otherwise: count,
  }
}

/** Functions of other engines, by their number of arguments. */
const OF_TWO = new Map<string, (text: NameExpr, other: NameExpr) => NameExpr>([
  ['strpos', (text, part) => call('position', part, text)],
  ['instr', (text, part) => call('position', part, text)],
  ['left', (text, count) => call('substring', text, literal(1, INT), fromEnd(text, count))],
  [
    'right',
    (text, count) => {
      const start = binary('+', binary('-', call('length', text), fromEnd(text, count)), literal(1, INT))
      return call('substring', text, call('greatest', start, literal(1, INT)))
    },
  ],
])
const OF_ONE = new Map<string, (moment: NameExpr) => NameExpr>([
  ...TIME_UNITS.map((each) => [each, (moment: NameExpr) => call('extract', unit(each), moment)] as const),
  ['dayofweek', (moment) => binary('+', dayOfWeek(moment), literal(1, INT))],
  ['dayofyear', dayOfYear],
])

export function functionExpr(
  { funcname, args = [], agg_distinct, agg_filter, agg_star, agg_order, over, funcformat }: FuncCall,
  node: Node,
  reader: ExpressionReader,
  go: (node: Node, own?: ExpressionReader) => NameExpr,
): NameExpr {
  const at = placeOf(reader, node)
  const written = functionName(funcname)
  if (over) return unsupported('OVER', `The window function ${written.toUpperCase()} reads finished rows`, { at })
  if (agg_distinct || agg_filter || agg_star || agg_order)
    return unsupported('aggregate', `${written.toUpperCase()} is not allowed here`, { at })
  const given = args.map((arg) => go(arg, written === 'to_timestamp' ? { ...reader, readsEpochs: true } : reader))
  const name = FUNCTION_ALIASES.get(written) ?? RENAMED[written] ?? written
  // The arguments of `POSITION(a IN b)` arrive in reverse order.
  const ordered = written === 'position' && funcformat === 'COERCE_SQL_SYNTAX' ? given.toReversed() : given
  const moment = momentExpr(name, ordered, reader, node)
  if (moment) return moment
  const respelled = reader.functions.has(name) ? undefined : respelledCall(name, ordered, at)
  if (respelled) return respelled
  const spec = reader.functions.get(name)
  if (!spec) {
    const suggestions = nearest(written, reader.functions.keys())
    return unsupported('function', `The function ${written} is not in the catalogue${didYouMean(suggestions)}`, {
      at,
      suggestions,
    })
  }
  const [least, most] = spec.arity
  if (ordered.length < least || ordered.length > most) {
    refuse(
      'WRONG_FUNCTION_ARITY',
      `${name} takes ${least === most ? least : `${least} to ${most}`} arguments, not ${ordered.length}`,
      { at },
    )
  }
  return spec.takesUnit ? withUnit(name, ordered, node, reader) : call(name, ...ordered)
}

function respelledCall(name: string, args: readonly NameExpr[], at: ReturnType<typeof placeOf>): NameExpr | undefined {
  const [ofOne, ofTwo] = [OF_ONE.get(name), OF_TWO.get(name)]
  if (!ofOne && !ofTwo) return undefined
  const [first, second, ...more] = args
  if (ofOne && first && !second) return ofOne(first)
  if (ofTwo && first && second && more.length === 0) return ofTwo(first, second)
  return refuse('WRONG_FUNCTION_ARITY', `${name} takes ${ofOne ? 1 : 2} arguments, not ${args.length}`, { at })
}

function withUnit(name: string, [first, ...rest]: readonly NameExpr[], node: Node, reader: ExpressionReader): NameExpr {
  const at = placeOf(reader, node)
  const word = first && isLiteral(first) ? String(first.value).toLowerCase() : undefined
  const moment = lastOf(rest)
  const part = name === 'extract' ? PARTS[word ?? ''] : undefined
  if (!isTemporal(typeOfExpr(moment, reader)) && !isLiteral(moment))
    unsupported(name, `${name} takes a date or timestamp`, { at })
  if (part) return part(moment)
  if (name === 'extract' && word === 'epoch') return epochOf(moment, reader, node)
  const known = TIME_UNITS.find((each) => each === word)
  if (known === undefined) {
    const units = name === 'date_trunc' ? [...new Set([...TIME_UNITS, ...reader.grains.keys()])] : TIME_UNITS
    const period = name === 'date_trunc' && units.find((each) => each.toLowerCase() === word)
    if (period) return periodOf(entryOf(reader.grains, period), moment, node, reader)
    const suggestions = nearest(word ?? '', units, 1)
    return refuse('UNKNOWN_TIME_UNIT', `The unit of ${name} is one of ${units.join(', ')}${didYouMean(suggestions)}`, {
      at,
      suggestions,
    })
  }
  const value = isLiteral(moment) && moment.type.kind === 'string' ? call('parse_timestamp', moment) : moment
  return folded(name, [unit(known), ...rest.slice(0, -1), value as NameExpr])
}

/** A period of a calendar of the model only applies to a dimension: no function of the catalogue knows the calendar. */
function periodOf(grain: Grain, moment: NameExpr, node: Node, reader: ExpressionReader): NameExpr {
  const leaf = moment.kind === 'name' ? (moment as NameLeaf) : undefined
  const bucket = leaf && reader.bucket(leaf, grain)
  if (bucket) return bucket
  const name = nameOfGrain(grain)
  const fine = leaf ? `'${leaf.text}' is cut into periods that are not within those of ${name}` : 'that is more than a dimension'
  return unsupported('date_trunc', `date_trunc('${name}', …) takes a dimension; ${fine}`, { at: placeOf(reader, node) })
}
