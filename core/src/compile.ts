import { bindQuery, type Catalogues } from './bind/bind-query.js'
import type { BoundQuery } from './bind/bound-query.js'
import type { RequestRuleOptions } from './bind/request-rule.js'
import { requestRules } from './bind/request-rules.js'
import { restrictionsOf } from './bind/restrictions.js'
import { withObjects } from './bind/rollups/rollup-states.js'
import { ROLLUP_TABLES } from './bind/rollups/rollup-tables.js'
import type { CompileContext } from './compile/compile-context.js'
import { describedColumns, parametersRead, parameterWarnings } from './compile/describe-answer.js'
import { readRollups } from './compile/read-rollups.js'
import { fail, GrainlineError, within } from './errors.js'
import { typeOf } from './model/expression/type-of.js'
import { computedModel, type SemanticModel } from './model/semantic-model.js'
import { once } from './once.js'
import { withoutAsOf } from './plan/as-of-joins.js'
import { explainPlan, readOf } from './plan/explain.js'
import type { LogicalPlan } from './plan/logical-plan.js'
import type { PlannerHints } from './plan/planner-hints.js'
import { readPairs } from './plan/read-pairs.js'
import { planRestricted } from './plan/restricted.js'
import { applyRules } from './plan/rules/apply-rules.js'
import { planRules } from './plan/rules/plan-rules.js'
import type { PlanFacts } from './plan/rules/rule.js'
import { uniquelyNamed } from './plan/unique-names.js'
import type { QueryObject } from './query/query-object.js'
import { answerUnits } from './resolve/answer-units.js'
import { readingsOf } from './resolve/clock.js'
import { type GivenParameters, givenParameters, withValues, writtenValues } from './resolve/given-parameters.js'
import { withOwnMeasures } from './resolve/own-measures.js'
import { parametersOfQuery } from './resolve/parameters-of-query.js'
import { refuseHiddenNames } from './resolve/refuse-hidden-names.js'
import type { RelationColumn } from './resolve/relation-column.js'
import { resolveQuery } from './resolve/resolve-query.js'
import type { ResolvedQuery } from './resolve/resolved-query.js'
import { timeRangesIn } from './resolve/time-ranges.js'
import { named, namedError, queryOfView } from './resolve/views.js'
import { buildStatement } from './sql/build-statement.js'
import type { CompiledQuery } from './sql/compiled-query.js'
import { convertStored } from './sql/convert-stored.js'
import { calls } from './sql/expressions-of.js'
import { fewerTables } from './sql/fewer-tables.js'
import { withoutGrownTexts } from './sql/grown-texts.js'
import { withInternalFunctions } from './sql/internal-functions.js'
import { lower } from './sql/lower.js'
import { plainNames } from './sql/plain-names.js'
import { renderStatement } from './sql/render.js'
import type { RenderContext } from './sql/render-expression.js'
import {
  applyStatementRules,
  loweredRules,
  type StatementRule,
  spelledRules,
  statementRules,
} from './sql/rules/statement-rules.js'
import type { Statement } from './sql/statement.js'
import { type Storage, storageClocks, storageOf } from './sql/storage-of.js'
import { storageWarnings } from './sql/storage-warnings.js'
import { withoutHidden } from './sql/without-hidden.js'
import { withinSteps } from './work.js'

/** A value that passes from one stage of the line to the next; a copy of it gives the same result. */
export type Arrow = <T>(stage: Stage, value: T) => T
export const STAGES = ['resolved', 'bound', 'plan', 'statement', 'lowered'] as const
export type Stage = (typeof STAGES)[number]

const NONE: ReadonlySet<string> = new Set()
/** The rules for speed, by name, in the order in which they are applied. */
export const RULES: readonly string[] = [
  ...requestRules.map(({ name }) => name),
  ROLLUP_TABLES,
  ...[...planRules, ...statementRules, ...loweredRules, ...spelledRules].map(({ name }) => name),
]

/** The line: query → resolved query → bound query → plan → statement → SQL. Throws `GrainlineError` with a path into the query. */
export const compile = (query: QueryObject, model: SemanticModel, context: CompileContext): CompiledQuery =>
  compileThrough(query, model, context, (_, value) => value)

/** The line with `arrow` between its stages. */
export function compileThrough(
  query: QueryObject,
  declared: SemanticModel,
  context: CompileContext,
  arrow: Arrow,
): CompiledQuery {
  const compiled = () =>
    withinSteps(context.maxSteps ?? Number.POSITIVE_INFINITY, () => {
      refuseHiddenNames(query, declared)
      const { model, warnings } = withOwnMeasures(query, declared, context)
      const viewed = compileViewed(query, computedModel(model), context, arrow)
      return warnings.length === 0 ? viewed : { ...viewed, warnings: [...warnings, ...viewed.warnings] }
    })
  return declared.hiding ? withoutHidden(compiled) : compiled()
}

/** The question to a view is one to the model with the names of the view. */
function compileViewed(asked: QueryObject, declared: SemanticModel, context: CompileContext, arrow: Arrow): CompiledQuery {
  const { query, model, others } = queryOfView(asked, declared)
  if (!others) return compileNow(query, model, context, arrow)
  try {
    const compiled = compileNow(query, model, context, arrow)
    return {
      ...compiled,
      warnings: named(compiled.warnings, others),
      timeRanges: named(compiled.timeRanges, others),
      explain: () => named(compiled.explain(), others),
    }
  } catch (error) {
    throw namedError(error, others)
  }
}

/** What each stage of the line reads besides what the one before it returns. */
interface Line {
  readonly context: CompileContext
  readonly arrow: Arrow
  readonly functions: CompileContext['functions']
  /** The model with the values of the question's parameters. */
  readonly model: SemanticModel
  readonly given: GivenParameters
  readonly storage: Storage
  readonly speed: Speed
}

/** Which rules for speed are applied. */
interface Speed extends RequestRuleOptions {
  readonly hints: PlannerHints
}

/** The picture of the house: a question is resolved, bound to rows, planned, and written as SQL. */
function compileNow(asked: QueryObject, declared: SemanticModel, context: CompileContext, arrow: Arrow): CompiledQuery {
  const given = givenParameters(asked, declared)
  const { query, model } = withValues({ query: asked, model: declared }, given)
  const line = lineOf(model, given, context, arrow)

  const resolved = arrow('resolved', resolvedQuery(query, line))
  const units = answerUnits(resolved, { functions: line.functions, aggregates: context.aggregates, values: given.values })
  const bound = arrow('bound', bindQuery(resolved, bindOptions(query, line)))
  const rollups = readRollups(bound, resolved, {
    asked,
    declared,
    model,
    storage: line.storage,
    context: { ...context, functions: line.functions },
  })
  const { plan, rules } = planned(bound, resolved, line)
  const { sql, lowered, stored, changing } = written(plan, resolved, line)

  const unchecked = line.storage.believed()
  const read = readOf(plan)
  const parameters = parametersRead(parametersOfQuery(asked, declared, read.data_objects), given)
  return {
    sql,
    dialect: context.dialect.name,
    ...describedColumns(bound, units),
    warnings: [
      ...bound.warnings,
      ...units.warnings,
      ...storageWarnings(stored, context.dialect),
      ...parameterWarnings(parameters),
    ],
    parameters,
    timeRanges: timeRangesIn(resolved),
    limit: resolved.limit,
    readings: readingsOf(resolved.time.clock, [
      ...resolved.clockUnits,
      ...(calls(lowered, 'current_date') ? (['day'] as const) : []),
    ]),
    ...read,
    data_objects: withObjects(read.data_objects, rollups.builds),
    rollups: rollups.builds,
    ...(rollups.outcome && { rollupOutcome: rollups.outcome }),
    unchecked_columns: unchecked.map(({ name }) => name),
    explain: once(() =>
      explainPlan(
        plan,
        bound.bases,
        resolved,
        [...stored, ...unchecked],
        [...bound.rules, ...rules, ...changing],
        rollups.verdicts(),
      ),
    ),
  }
}

function lineOf(model: SemanticModel, given: GivenParameters, context: CompileContext, arrow: Arrow): Line {
  const { dialect, storedTypes, without = NONE, checksRules = false } = context
  return {
    context,
    arrow,
    model,
    given,
    functions: withInternalFunctions(context.functions),
    storage: storageOf(model, storedTypes, dialect),
    speed: { hints: dialect.planner, without, isChecked: checksRules },
  }
}

function resolvedQuery(query: QueryObject, { context, functions, model }: Line): ResolvedQuery {
  const { aggregates, now, defaultLimit, everyRowOf, shownAs, behind, columnNames } = context
  const resolved = resolveQuery(query, model, { functions, aggregates, now, defaultLimit, everyRowOf, shownAs, behind })
  return renamedOutputs(resolved, columnNames)
}

const renamedOutputs = (query: ResolvedQuery, names: readonly string[] | undefined): ResolvedQuery =>
  names && query.kind !== 'behind'
    ? { ...query, outputs: query.outputs.map((output, i) => ({ ...output, name: names[i] ?? output.name })) }
    : query

function bindOptions({ timezone }: QueryObject, { context, functions, storage, speed }: Line): Catalogues {
  const { aggregates, dialect, rollupTables } = context
  const rollups = rollupTables && { sources: rollupTables, timezone, hasQuotients: dialect.semantics.exactAverages }
  return { functions, aggregates, storedAs: storage.storedAs, rules: speed, rollups }
}

/** The canonical plan, the rules for speed, the pairs of trees, and the names of relations. */
function planned(bound: BoundQuery, { model, graph, time }: ResolvedQuery, { context, arrow, functions, storage, speed }: Line) {
  const { aggregates, now } = context
  const facts: PlanFacts = { hints: speed.hints, typeOf: (e) => typeOf<RelationColumn>(e, (leaf) => leaf.type, functions) }
  const seen = { model, graph, time, functions, aggregates, storedAs: storage.storedAs, rules: speed }

  const canonical = arrow('plan', planRestricted(bound, restrictionsOf(seen, now)))
  const { plan: fast, rules, fault } = applyRules(canonical, facts, speed)
  if (fault !== undefined) fail('INTERNAL_ERROR', fault)
  const paired = arrow('plan', readPairs(withoutAsOf(arrow('plan', fast), facts.typeOf)))
  return { plan: arrow('plan', uniquelyNamed(paired, bound.tables)), rules }
}

/** The statement of a plan, the rules for speed, and what the engine lacks, spelled in its dialect. */
function written(plan: LogicalPlan, resolved: ResolvedQuery, line: Line) {
  const { context, arrow, functions, model, speed } = line
  const { dialect } = context
  const spelling = spellingOf(resolved, line)
  const changing: string[] = []
  const ruled = (given: Statement, of: readonly StatementRule[]): Statement => {
    const { statement, rules } = applyStatementRules(given, of, { spelling, ...speed })
    changing.push(...rules)
    return statement
  }

  const brief = arrow('statement', ruled(arrow('statement', buildStatement(plan)), statementRules))
  const { statement: converted, columns: stored } = convertStored(brief, storageClocks(model, resolved.time.zone), functions)
  const lowered = arrow('lowered', lower(arrow('statement', converted), functions, dialect))
  const fitted = arrow('lowered', fewerTables(arrow('lowered', ruled(lowered, loweredRules)), dialect.maxCtes))
  const sql = placed(resolved, () => {
    const spelled = arrow('lowered', ruled(fitted, spelledRules))
    return renderStatement(plainNames(withoutGrownTexts(spelled)), spelling)
  })
  return { sql, lowered, stored, changing }
}

const spellingOf = ({ time }: ResolvedQuery, { context, functions, model, given }: Line): RenderContext => ({
  dialect: context.dialect,
  functions,
  aggregates: context.aggregates,
  time,
  parameters: new Map([...writtenValues(model, given), ...(context.parameters ?? [])]),
  held: model.restriction?.values,
  placeOf: context.placeOf,
})

/** If a dialect refuses something, the error has the path of the field that needs it. */
function placed<T>(query: ResolvedQuery, render: () => T): T {
  try {
    return render()
  } catch (error) {
    const column = error instanceof GrainlineError ? error.details.context?.column : undefined
    const level = query.kind === 'grouped' ? query.levels[0] : query
    const fields = level?.kind === 'aggregate' ? [...level.dimensions, ...level.aggregates, ...level.steps] : []
    return within(fields.find((f) => f.name === column)?.path ?? '', () => {
      throw error
    })
  }
}
