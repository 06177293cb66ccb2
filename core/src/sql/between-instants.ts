import { firstOf, itemAt } from '../invariant.js'
import { TIMESTAMP_TZ } from '../model/data-type.js'
import { type Binary, type BinaryOperator, type Call, type Case, type InList, isLiteral } from '../model/expression/ast.js'
import { timeLiteral } from '../resolve/bucket.js'
import { anyOf, binary, call, integer, nullOf, text } from '../resolve/expressions.js'
import { type Micros, parseTime } from '../resolve/time.js'
import { isSame } from '../same.js'
import { leapsSince, offsetAt, type TimeZone, timeZone } from '../time-zones/time-zone.js'
import { instantOf } from '../time-zones/wall-clock.js'
import type { SqlExpr, SqlLeaf } from './statement.js'

/**
 * What is asked of two instants together is asked of them, and not of the clocks that show them: where an hour repeats, clocks tell the
 * earlier one as the later. An instant that is shown is `in_zone(instant, zone)`. So is what is chosen among such, and what is moved by
 * hours, minutes or seconds; longer units are those of the calendar and go by the clocks. A local time that is written beside an instant is
 * the first instant at which clocks show it, as in a filter. The operands of `node` are done already.
 */
export function betweenInstants(node: SqlExpr): SqlExpr {
  switch (node.kind) {
    case 'binary':
      return COMPARISONS.has(node.operator) ? compared(node) : node
    case 'in':
      return listed(node)
    case 'case':
      return chosen(node)
    case 'call':
      if (node.name === 'from_zone') return namedAgain(node)
      if (node.name === 'nullif') return picked(node, isShown(itemAt(node.args, 0)) ? named : undefined)
      return CHOICES.has(node.name) ? picked(node) : (MOVES[node.name]?.(node) ?? node)
    default:
      return node
  }
}

/** An instant that is shown and then named in the same zone is that instant, also where its clocks repeat. */
function namedAgain(node: Call<SqlLeaf>): SqlExpr {
  const [value, zone] = [itemAt(node.args, 0), itemAt(node.args, 1)]
  const found = instantsOf([value])
  return found && isSame(found.zone, zone) ? firstOf(found.instants) : node
}

const COMPARISONS: ReadonlySet<BinaryOperator> = new Set(['=', '<>', '<', '<=', '>', '>='])
const CHOICES: ReadonlySet<string> = new Set(['coalesce', 'greatest', 'least'])
const MOVES: Readonly<Record<string, (node: Call<SqlLeaf>) => SqlExpr>> = { date_add: moved, date_diff: between }

function compared(node: Binary<SqlLeaf>): SqlExpr {
  const found = instantsOf([node.left, node.right], named)
  if (!found) return node
  return { ...node, left: itemAt(found.instants, 0), right: itemAt(found.instants, 1) }
}

/** Timestamps that are not instants are compared as local times. */
function listed(node: InList<SqlLeaf>): SqlExpr {
  const { operand, list } = node
  const isAlike = (e: SqlExpr): boolean => !isNull(e) && instantsOf([operand, e], named) !== undefined
  const alike = list.filter(isAlike)
  const found = isShown(operand) && alike.length > 0 && instantsOf([operand, ...alike], named)
  if (!found) return node
  const others = list.filter((e) => !isAlike(e))
  const rest: readonly SqlExpr[] = others.length > 0 ? [{ ...node, list: others }] : []
  return anyOf([{ ...node, operand: firstOf(found.instants), list: found.instants.slice(1) }, ...rest])
}

function chosen(node: Case<SqlLeaf>): SqlExpr {
  const { branches, otherwise } = node
  const found = instantsOf([...branches.map(({ then }) => then), ...(otherwise ? [otherwise] : [])])
  if (!found) return node
  const instantOf = (place: number): SqlExpr => found.instants[place]!
  return call(
    'in_zone',
    {
      ...node,
      branches: branches.map(({ when }, i) => ({ when, then: instantOf(i) })),
      otherwise: otherwise && instantOf(branches.length),
    },
    found.zone,
  )
}

function picked(node: Call<SqlLeaf>, written?: Naming | undefined): SqlExpr {
  const found = instantsOf(node.args, written)
  return found ? call('in_zone', { ...node, args: found.instants }, found.zone) : node
}

/** Units of constant length, in seconds, independent of clock changes. */
const PASSING: ReadonlyMap<string, number> = new Map([
  ['second', 1],
  ['minute', 60],
  ['hour', 3_600],
])
const secondsIn = (unit: SqlExpr | undefined): number | undefined =>
  unit && isLiteral(unit) ? PASSING.get(String(unit.value).toLowerCase()) : undefined

function moved(node: Call<SqlLeaf>): SqlExpr {
  const [unit, count] = [itemAt(node.args, 0), itemAt(node.args, 1)]
  const found = instantsOf([itemAt(node.args, 2)])
  if (!found || secondsIn(unit) === undefined || !clocksOf(found.zone)) return node
  return call('in_zone', call('date_add', unit, count, firstOf(found.instants)), found.zone)
}

/** Full units that clocks show between two instants, each as often as it is shown. */
function between(node: Call<SqlLeaf>): SqlExpr {
  const [unit, shown] = [firstOf(node.args), node.args.slice(1)]
  const found = instantsOf(shown)
  const seconds = secondsIn(unit)
  const clocks = found && clocksOf(found.zone)
  if (!clocks || seconds === undefined) return node
  // Clocks in UTC never change.
  const passed = (by: SqlExpr): SqlExpr => call('date_diff', by, ...found.instants.map((e) => call('in_zone', e, text('UTC'))))
  if (clocks.every((offset) => offset % seconds === 0)) return passed(unit)
  // Full hours in this zone are not full hours in UTC: the latter are counted, and then corrected by the clock changes.
  const second = text('second')
  const set = binary('-', passed(second), call('date_diff', second, ...shown))
  return binary('+', node, call('div', set, integer(seconds)))
}

const SINCE_1970 = 0

/** The offset of a zone in 1970 and the amounts of its clock changes; `undefined` if its clocks never changed. */
function clocksOf(zone: SqlExpr): readonly number[] | undefined {
  const found: TimeZone | undefined = isLiteral(zone) ? timeZone(String(zone.value)) : undefined
  const leaps = found ? [true, false].flatMap((forward) => leapsSince(found, SINCE_1970, forward)) : []
  return found && leaps.length > 0 ? [offsetAt(found, SINCE_1970), ...leaps] : undefined
}

/** Instants, and the zone in which all of them are shown. */
interface Instants {
  readonly instants: readonly SqlExpr[]
  readonly zone: SqlExpr
}

/** The instant of a written local time in a zone. */
type Naming = (e: SqlExpr, zone: string) => SqlExpr | undefined

/** `undefined` unless all of them are instants that are shown in one zone; NULL is the same in every zone. */
function instantsOf(expressions: readonly SqlExpr[], written?: Naming): Instants | undefined {
  const zone = expressions.find(isShown)?.args[1]
  if (zone === undefined || !isLiteral(zone)) return undefined
  const instants = expressions.flatMap((e): readonly SqlExpr[] => {
    if (isNull(e)) return [nullOf(TIMESTAMP_TZ)]
    if (isShown(e)) return isLiteral(e.args[1]) && e.args[1].value === zone.value ? [e.args[0]] : []
    const found = written?.(e, String(zone.value))
    return found ? [found] : []
  })
  return instants.length === expressions.length ? { instants, zone } : undefined
}

const isShown = (e: SqlExpr): e is Call<SqlLeaf> & { readonly args: readonly [SqlExpr, SqlExpr] } =>
  e.kind === 'call' && e.name === 'in_zone'

const isNull = (e: SqlExpr): boolean => isLiteral(e) && e.value === null

/** The first instant at which clocks show a written time, or that of the change if they skipped it; `undefined` where it has no literal. */
function named(e: SqlExpr, zone: string): SqlExpr | undefined {
  if (!isLiteral(e) || (e.type.kind !== 'timestamp' && e.type.kind !== 'date')) return undefined
  const wall = parseTime(String(e.value))?.micros
  const at = wall === undefined ? undefined : instantOf(wall, zone)
  return at === undefined || at < FIRST || at > LAST ? undefined : timeLiteral<SqlLeaf>(at, TIMESTAMP_TZ)
}

/** What has a literal on every engine. */
const [FIRST, LAST] = ['0001-01-01', '9999-12-31T23:59:59.999999'].map((text): Micros => parseTime(text)!.micros) as [
  Micros,
  Micros,
]
