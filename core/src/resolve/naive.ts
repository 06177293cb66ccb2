/** Timestamps without zone in a query with a time zone (docs/time.md). Dates are never converted. */
import { type DataType, isInDefaultZone, TIMESTAMP_TZ } from '../model/data-type.js'
import type { Expr } from '../model/expression/ast.js'
import type { ModelSettings } from '../model/semantic-model.js'
import type { TimeContext } from './clock.js'
import { call, text } from './expressions.js'
import type { ResolveContext } from './resolved-query.js'

/** `asked`: the time zone of the query or the model, `undefined` if neither has one; timestamps without zone are then unchanged. */
export function naiveReading(
  asked: string | undefined,
  { defaultTimezone }: ModelSettings,
): Pick<TimeContext, 'naiveZone' | 'leavesNaive'> {
  const moves = asked !== undefined && defaultTimezone !== undefined && asked !== defaultTimezone
  return { naiveZone: moves ? defaultTimezone : undefined, leavesNaive: asked !== undefined && defaultTimezone === undefined }
}

/** A timestamp without zone as its instant, if its zone is known; every other value unchanged. */
export function asInstant<L>(
  value: Expr<L>,
  type: DataType,
  { naiveZone }: TimeContext,
): { readonly expression: Expr<L>; readonly type: DataType } {
  if (!isInDefaultZone(type) || naiveZone === undefined) return { expression: value, type }
  return { expression: call('from_zone', value, text(naiveZone)), type: TIMESTAMP_TZ }
}

/** Warns with `NAIVE_TIMESTAMP` if a timestamp without zone is bucketed or compared unchanged although the query has a time zone. */
export function warnNaive(name: string, type: DataType, path: string, { time, warn }: ResolveContext): void {
  if (type.kind !== 'timestamp' || type.written === undefined || !time.leavesNaive) return
  warn('NAIVE_TIMESTAMP', `'${name}' is a timestamp without zone and was read as written, not moved into ${time.zone}`, {
    path,
    hint: 'set settings.defaultTimezone to the time zone of the data',
  })
}

const NULL_TESTS: ReadonlySet<string> = new Set(['is_null', 'is_not_null', 'blank', 'not_blank'])

/** Warns if a condition compares a timestamp without zone unchanged. */
export function warnNaiveCompared(
  { op, path }: { readonly op: string; readonly path: string },
  { name, type }: { readonly name: string; readonly type: DataType },
  context: ResolveContext,
): void {
  if (!NULL_TESTS.has(op)) warnNaive(name, type, `${path}.field`, context)
}
