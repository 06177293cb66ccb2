/** What the author of a dialect needs: how an engine spells SQL, as data. Names here are stable. */
export type { DataType } from './model/data-type.js'
export type { Spelling } from './model/functions/function-spec.js'
export { isClock, type TimeGrain } from './model/grain.js'
export type { PlannerHints } from './plan/planner-hints.js'
export { aggregate, ansi, count, divisor, inDouble, timeUnit, translatedLower, unitKeyword } from './sql/ansi.js'
export {
  type AggregateCall,
  type AggregateSpelling,
  type Capabilities,
  type Dialect,
  defineDialect,
  type ElementsRequest,
  type LikeRequest,
  type SharedSql,
  type SpellAggregate,
  type SpellingOf,
} from './sql/dialect.js'
export { type LowerLetters, replaced, translated, upperKeeping } from './sql/lower-case.js'
export { orderedParts } from './sql/ordered-parts.js'
export type { Semantics } from './sql/semantics.js'
