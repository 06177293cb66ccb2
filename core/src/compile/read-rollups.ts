/** Which rollup tables a question reads, and why it does not read the others. */
import type { BoundQuery } from '../bind/bound-query.js'
import { rollupDefinition } from '../bind/rollups/rollup-definition.js'
import { type ReadBuild, type RollupStates, readBuilds, withStates } from '../bind/rollups/rollup-states.js'
import { rollupVerdicts } from '../bind/rollups/rollup-verdicts.js'
import { errorCatalog } from '../error-catalog.js'
import { fail } from '../errors.js'
import type { AggregateSpec, FunctionSpec } from '../model/functions/function-spec.js'
import type { Rollup, SemanticModel } from '../model/semantic-model.js'
import { once } from '../once.js'
import type { ExplainRollup } from '../plan/explain-plan.js'
import type { QueryObject } from '../query/query-object.js'
import type { ResolvedQuery } from '../resolve/resolved-query.js'
import type { Dialect } from '../sql/dialect.js'
import type { Storage } from '../sql/storage-of.js'

export interface RollupQuestion {
  readonly asked: QueryObject
  readonly declared: SemanticModel
  /** The model with the values of the question. */
  readonly model: SemanticModel
  readonly storage: Pick<Storage, 'storedAs'>
  readonly context: RollupContext
}

interface RollupContext {
  readonly dialect: Dialect
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
  readonly now: Date
  readonly rollupStates?: RollupStates | undefined
  readonly requiresRollups?: boolean | undefined
}

export interface ReadRollups {
  readonly builds: readonly ReadBuild[]
  /** Computed when they are first asked for. */
  readonly verdicts: () => readonly ExplainRollup[]
  /** In one word; nothing if no builds are known. */
  readonly outcome: (() => string) | undefined
}

/** Refuses a question that must read tables, and reads facts. */
export function readRollups({ tablesRead }: BoundQuery, query: ResolvedQuery, question: RollupQuestion): ReadRollups {
  const { rollupStates, requiresRollups } = question.context
  const { rollups, facts } = tablesRead
  const verdicts = once(() => withStates(verdictsOn(query, question), rollups, rollupStates))
  if (requiresRollups && (rollups.length === 0 || facts.length > 0)) refuseFacts(facts, verdicts())
  const isKnown = rollupStates !== undefined && rollupStates.size > 0
  return {
    builds: readBuilds(rollups, question.model, rollupStates),
    verdicts,
    outcome: isKnown ? () => outcomeOf(tablesRead, verdicts()) : undefined,
  }
}

/** Whether the question could be answered from the rollup tables of the model, which are built in its zone and for the defaults of its parameters. */
function verdictsOn(query: ResolvedQuery, { asked, declared, model, storage, context }: RollupQuestion) {
  const { timezone, parameters } = asked
  const isOther = (rollup: Rollup, of: Pick<QueryObject, 'timezone' | 'parameters'>): boolean =>
    rollupDefinition(rollup, declared, context, of) !== rollupDefinition(rollup, declared, context)
  return rollupVerdicts(query, {
    ...{ model, timezone, options: context, storedAs: storage.storedAs },
    hasQuotients: context.dialect.semantics.exactAverages,
    differs: (rollup) => {
      if (timezone !== undefined && isOther(rollup, { timezone })) return 'OTHER_TIME_ZONE'
      return parameters && isOther(rollup, { parameters }) ? 'OTHER_PARAMETERS' : undefined
    },
  })
}

function outcomeOf({ rollups, facts }: BoundQuery['tablesRead'], verdicts: readonly ExplainRollup[]): string {
  if (rollups.length > 0) return facts.length > 0 ? 'partly' : 'read'
  return verdicts.find(({ reason }) => reason !== null)?.reason ?? 'NEEDS_ROWS'
}

function refuseFacts(measures: readonly string[], verdicts: readonly ExplainRollup[]): never {
  const names = measures.map((name) => `'${name}'`).join(', ')
  const reasons = verdicts.map(({ rollup, reason, says }) => `${rollup}: ${reason === null ? 'not read' : `${reason}: ${says}`}`)
  const what = measures.length === 0 ? 'The query' : `${names} ${measures.length === 1 ? 'is' : 'are'}`
  const said = measures.length === 0 ? `${what} reads no rollup table` : `${what} not read from a rollup table`
  return fail('ROLLUP_REQUIRED', `${said}, and rollups are required. ${reasons.join('; ')}`.trim(), {
    path: 'rollups',
    hint: errorCatalog.ROLLUP_REQUIRED.fix,
  })
}
