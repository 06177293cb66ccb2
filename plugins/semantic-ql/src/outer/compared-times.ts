/** Comparisons of times in an outer statement, with the meaning that they have in the query of a model. */
import type { DataType } from '@grainline/core'
import { DATE, instantOf, type Micros, microsOf, STRING, TIMESTAMP, TIMESTAMP_TZ, timestampText } from '@grainline/core/language'
import { attempt } from '../attempt.js'
import { coerced, dayInZone, literalOf, typeNamed } from '../constants.js'
import { type A_Expr, bodiesOf, bodyOf, type CaseExpr, locationOf, type Node, nodesIn, wordsOf } from '../grammar/node.js'
import { unsupported } from '../refusal.js'
import { timeOf } from './column-times.js'
import type { OuterTime, Scope } from './scope.js'
import type { Writer } from './writer.js'

/** A literal beside a time: all moments from the first to the last one. */
interface Moments {
  readonly first: string
  readonly last: string
  /** Whether they are what clocks show, though the time is an instant: where clocks are set back over midnight, a day is no range of instants. */
  readonly isShown: boolean
}

const TYPES = { date: DATE, timestamp: TIMESTAMP, timestamp_tz: TIMESTAMP_TZ } as const
const MICROS_PER_DAY = 86_400_000_000n
const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' }
const SIGNS: ReadonlySet<string> = new Set(['=', '<>', '!=', '<', '<=', '>', '>='])

interface Sides {
  readonly left: Node | undefined
  readonly right: Node | undefined
}

interface Context {
  readonly writer: Writer
  readonly scope: Scope
  readonly go: (node: Node | undefined) => string
}

/** `left symbol right`; `undefined` if neither side is a time, and where the evaluator's own comparison has the same meaning. */
export function comparedTimes(
  symbol: string,
  { left, right }: Sides,
  context: Context,
  which: 'all' | 'with a text' = 'all',
): string | undefined {
  const { writer, scope, go } = context
  if (!SIGNS.has(symbol)) return undefined
  if (isWritten(left, writer) && !isWritten(right, writer))
    return comparedTimes(MIRRORED[symbol] ?? symbol, { left: right, right: left }, context, which)
  const time = besideTexts(timeOf(left, scope), [right], writer)
  if (!time) return undefined
  const moments = momentsOf(right, time, writer)
  if (moments) return withMoments(symbol, besideMoments(go(left), time, moments, writer), moments)
  if (which === 'with a text') return undefined
  const other = isWritten(right, writer) ? undefined : timeOf(right, scope)
  if (!other || (time.kind === 'timestamp_tz') === (other.kind === 'timestamp_tz')) return undefined
  // An instant beside a local time is what the clocks showed.
  const local = (node: Node | undefined, { kind }: OuterTime): string =>
    kind === 'timestamp_tz' ? `CAST(${go(node)} AS ${writer.evaluator.type(TIMESTAMP)})` : go(node)
  return `(${local(left, time)} ${symbol} ${local(right, other)})`
}

const isWritten = (node: Node | undefined, writer: Writer): boolean => writtenOf(node, writer) !== undefined

/** A text that is written in the statement or given as a parameter, and its type if it says one. */
function writtenOf(node: Node | undefined, { parameters }: Writer): Written | undefined {
  const text = bodyOf(node, 'A_Const')?.sval?.sval
  if (text !== undefined) return { text, kind: undefined }
  const given = parameters[(bodyOf(node, 'ParamRef')?.number ?? 0) - 1]
  if (given) return typeof given.value === 'string' ? ofType(given.value, given.type ?? STRING) : undefined
  const cast = bodyOf(node, 'TypeCast')
  const inner = bodyOf(cast?.arg, 'A_Const')?.sval?.sval
  const type = cast && inner !== undefined ? attempt(() => typeNamed(cast.typeName, undefined)) : undefined
  return inner === undefined || type === undefined || type === 'numeric' || type.kind === 'string'
    ? undefined
    : ofType(inner, type)
}

interface Written {
  readonly text: string
  readonly kind: OuterTime['kind'] | undefined
}

function ofType(text: string, { kind }: DataType): Written | undefined {
  if (kind === 'date' || kind === 'timestamp' || kind === 'timestamp_tz') return { text, kind }
  return kind === 'string' ? { text, kind: undefined } : undefined
}

/** The moments of a text beside a time. Throws `INVALID_FILTER_VALUE` for a text that is no time. */
function momentsOf(node: Node | undefined, time: OuterTime, writer: Writer): Moments | undefined {
  const written = writtenOf(node, writer)
  if (!written) return undefined
  const own = time.period === undefined ? time.kind : 'timestamp'
  const type = TYPES[own]
  const text = dayInZone(written.text.trim(), written.kind ? TYPES[written.kind] : type)
  const parsed = microsOf(text)
  if (!parsed || (parsed.instant && time.kind !== 'timestamp_tz' && written.kind === undefined)) {
    // Refused in the words of a query, except for texts with a meaning of their own.
    coerced(literalOf(written.text, STRING), type, writer.sql.place(locationOf(node)), time.zone)
    return undefined
  }
  const isPeriod = parsed.isPeriod || (parsed.dateOnly && (written.kind ?? 'date') === 'date')
  const isShown = isPeriod && own === 'timestamp_tz'
  const kind = isShown ? 'timestamp' : own
  const at = (moment: Micros): Micros => (parsed.instant || kind !== 'timestamp_tz' ? moment : instantOf(moment, time.zone))
  const first = at(parsed.micros)
  const last = !isPeriod ? first : time.kind === 'date' ? parsed.until - MICROS_PER_DAY : at(parsed.until) - 1n
  return { first: momentText(first, { kind }, writer), last: momentText(last, { kind }, writer), isShown }
}

/** The time that is compared with texts. It stays a period of an instant if all of them are local times. */
function besideTexts(time: OuterTime | undefined, nodes: readonly (Node | undefined)[], writer: Writer): OuterTime | undefined {
  if (time?.period === undefined) return time
  const isLocal = (node: Node | undefined): boolean => {
    const written = writtenOf(node, writer)
    return written !== undefined && written.kind !== 'timestamp_tz' && microsOf(written.text.trim())?.instant === false
  }
  return nodes.every(isLocal) ? time : { kind: time.kind, zone: time.zone }
}

/** A time as it is compared with texts: a period of an instant as what the clocks showed, so that nights on which they change do not matter. */
function localText(text: string, { period }: OuterTime, writer: Writer): string {
  const truncate = writer.evaluator.functions['date_trunc']?.spelled
  if (period === undefined || !truncate) return text
  // The first moment of a day without a midnight is a later hour.
  const [weekStart = 'monday'] = writer.weekStarts().keys()
  return truncate([`'${period.replaceAll("'", "''")}'`, `CAST(${text} AS ${writer.evaluator.type(TIMESTAMP)})`], weekStart)
}

/** A time as it is compared with these moments. */
const besideMoments = (text: string, time: OuterTime, { isShown }: Moments, writer: Writer): string =>
  isShown ? `CAST(${text} AS ${writer.evaluator.type(TIMESTAMP)})` : localText(text, time, writer)

function momentText(at: Micros, { kind }: Pick<OuterTime, 'kind'>, { evaluator }: Writer): string {
  const text = timestampText(at)
  const isDay = kind === 'date' && at % MICROS_PER_DAY === 0n
  if (isDay) return `CAST('${text.slice(0, 10)}' AS ${evaluator.type(DATE)})`
  return `CAST('${text}${kind === 'timestamp_tz' ? '+00' : ''}' AS ${evaluator.type(kind === 'timestamp_tz' ? TIMESTAMP_TZ : TIMESTAMP)})`
}

function withMoments(symbol: string, time: string, { first, last }: Moments): string {
  switch (symbol) {
    case '=':
      return first === last ? `(${time} = ${first})` : `(${time} BETWEEN ${first} AND ${last})`
    case '<>':
    case '!=':
      return first === last ? `(${time} <> ${first})` : `(${time} NOT BETWEEN ${first} AND ${last})`
    case '<':
    case '>=':
      return `(${time} ${symbol} ${first})`
    default:
      return `(${time} ${symbol} ${last})`
  }
}

/** `BETWEEN` of a time and texts, from the first moment of one to the last of the other; `undefined` for any other. */
export function timesBetween({ lexpr, rexpr }: A_Expr, { writer, scope, go }: Context): string | undefined {
  const [low, high] = bodyOf(rexpr, 'List')?.items ?? []
  const isBeside = isWritten(low, writer) || isWritten(high, writer)
  const time = isBeside ? besideTexts(timeOf(lexpr, scope), [low, high], writer) : undefined
  if (!time) return undefined
  const [from, until] = [momentsOf(low, time, writer), momentsOf(high, time, writer)]
  const [since, last] = [from?.first ?? go(low), until?.last ?? go(high)]
  const subject = go(lexpr)
  const compared = (moments: Moments | undefined): string =>
    moments ? besideMoments(subject, time, moments, writer) : localText(subject, time, writer)
  if (compared(from) === compared(until)) return `(${compared(from)} BETWEEN ${since} AND ${last})`
  refuseLarge(lexpr, writer)
  return `(${compared(from)} >= ${since} AND ${compared(until)} <= ${last})`
}

/** `IN` of a time and texts; `undefined` for any other. */
export function timesAmong({ lexpr, rexpr, name }: A_Expr, { writer, scope, go }: Context): string | undefined {
  const items = bodyOf(rexpr, 'List')?.items ?? []
  const time = items.some((item) => isWritten(item, writer)) ? besideTexts(timeOf(lexpr, scope), items, writer) : undefined
  if (!time) return undefined
  const found = items.map((item) => momentsOf(item, time, writer) ?? { first: go(item), last: go(item), isShown: false })
  const negation = wordsOf(name).at(-1) === '<>' ? 'NOT ' : ''
  const subject = go(lexpr)
  if (found.every(({ first, last }) => first === last))
    return `(${localText(subject, time, writer)} ${negation}IN (${found.map(({ first }) => first).join(', ')}))`
  refuseLarge(lexpr, writer)
  const equal = found.map((moments) => withMoments('=', besideMoments(subject, time, moments, writer), moments))
  return `(${negation}(${equal.join(' OR ')}))`
}

/** An expression that is written once for each day of a list. Nested ones would grow exponentially. */
const MOST_NODES = 24

/** `CASE time WHEN 'text' THEN …`; `undefined` for any other. */
export function casesOfTime({ arg, args, defresult }: CaseExpr, { writer, scope, go }: Context): string | undefined {
  const whens = bodiesOf(args, 'CaseWhen')
  const time = arg && whens.some(({ expr }) => isWritten(expr, writer)) ? timeOf(arg, scope) : undefined
  if (!time) return undefined
  refuseLarge(arg, writer)
  const branches = whens.map(({ expr, result }) => {
    const test = comparedTimes('=', { left: arg, right: expr }, { writer, scope, go }) ?? `(${go(arg)} = ${go(expr)})`
    return ` WHEN ${test} THEN ${go(result)}`
  })
  return `CASE${branches.join('')}${defresult ? ` ELSE ${go(defresult)}` : ''} END`
}

function refuseLarge(node: Node | undefined, writer: Writer): void {
  if (nodesIn(node).length > MOST_NODES)
    unsupported('expression', 'Several days are not compared with a large expression here', {
      at: writer.sql.place(locationOf(node)),
      rewrite: 'the expression as a column of a subselect, and the comparison with that column around it',
    })
}
