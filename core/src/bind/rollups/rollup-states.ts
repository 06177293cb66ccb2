/** Whether the table of a rollup may be read now, beside what it holds of a question. */
import { entryOf } from '../../invariant.js'
import type { SemanticModel } from '../../model/semantic-model.js'
import type { RollupVerdict } from './rollup-verdicts.js'

export type RollupState =
  | {
      readonly kind: 'built'
      readonly build: string
      /** The moment of its data, ISO 8601. */
      readonly asOf: string
      /** The data objects whose tables were read for it. */
      readonly objects: readonly string[]
    }
  | { readonly kind: 'unusable'; readonly reason: UnusableReason; readonly says: string }

/** Each code with the section of docs/rollups.md that explains it. */
export type UnusableReason =
  | 'TURNED_OFF'
  | 'NOT_BUILT'
  | 'DEFINITION_CHANGED'
  | 'MIXED_BUILDS'
  | 'NOT_VERIFIED'
  | 'WRONG'
  | 'STALE'
  | 'UNREADABLE'

export type RollupStates = ReadonlyMap<string, RollupState>

/** A build that a statement reads. */
export interface ReadBuild {
  readonly rollup: string
  /** The data object whose rows its measures count. */
  readonly object: string
  /** Empty if nothing is known of builds. */
  readonly build: string
  readonly asOf: string
  readonly objects: readonly string[]
}

export const readBuilds = (
  names: readonly string[],
  { rollups }: Pick<SemanticModel, 'rollups'>,
  states: RollupStates | undefined,
): readonly ReadBuild[] =>
  names.map((rollup) => {
    const state = states?.get(rollup)
    const { build, asOf, objects } = state?.kind === 'built' ? state : { build: '', asOf: '', objects: [] }
    return { rollup, object: entryOf(rollups, rollup).dataObject, build, asOf, objects }
  })

/** With the objects from whose tables the builds were made: an answer is as old as they are. */
export const withObjects = (objects: readonly string[], builds: readonly ReadBuild[]): readonly string[] =>
  builds.length === 0 ? objects : [...new Set([...objects, ...builds.flatMap((one) => one.objects)])].sort()

/** A verdict, and the build that questions read now. */
export interface JudgedRollup extends Omit<RollupVerdict, 'reason'> {
  readonly reason: RollupVerdict['reason'] | UnusableReason
  readonly read: boolean
  readonly build: string | null
  readonly as_of: string | null
}

/** The verdicts with the builds that a statement reads. Fields that a table does not hold come first. */
export const withStates = (
  verdicts: readonly RollupVerdict[],
  read: readonly string[],
  states: RollupStates | undefined,
): readonly JudgedRollup[] => verdicts.map((verdict) => withState(verdict, read, states?.get(verdict.rollup)))

function withState(verdict: RollupVerdict, read: readonly string[], state: RollupState | undefined): JudgedRollup {
  const isRead = read.includes(verdict.rollup)
  if (state?.kind !== 'unusable') return { ...verdict, read: isRead, build: state?.build ?? null, as_of: state?.asOf ?? null }
  const { reason, says } = verdict.reason === null ? state : verdict
  return { ...verdict, reason, says, read: isRead, build: null, as_of: null }
}
