import type { StoredAs } from './bind/bind-context.js'
import { bindQuery } from './bind/bind-query.js'
import type { BoundQuery } from './bind/bound-query.js'
import { requestRules } from './bind/request-rules.js'
import { restrictionsOf } from './bind/restrictions.js'
import { rollupDefinition } from './bind/rollups/rollup-definition.js'
import { type RollupStates, readBuilds, withObjects, withStates } from './bind/rollups/rollup-states.js'
import { ROLLUP_TABLES } from './bind/rollups/rollup-tables.js'
import { rollupVerdicts } from './bind/rollups/rollup-verdicts.js'
import { errorCatalog } from './error-catalog.js'
import { type Finding, fail, GrainlineError, warning, within } from './errors.js'
import { entryOf } from './invariant.js'
import type { Parameter } from './model/expression/ast.js'
import { typeOf } from './model/expression/type-of.js'
import type { AggregateSpec, FunctionSpec } from './model/functions/function-spec.js'
import type { ParameterValues } from './model/parameter.js'
import { computedModel, type Rollup, type SemanticModel, type TableSource } from './model/semantic-model.js'
import type { StoredTypes } from './model/stored-column.js'
import { once } from './once.js'
import { withoutAsOf } from './plan/as-of-joins.js'
import { explainPlan, readOf } from './plan/explain.js'
import type { ExplainRollup } from './plan/explain-plan.js'
import { readPairs } from './plan/read-pairs.js'
import { planRestricted } from './plan/restricted.js'
import { applyRules } from './plan/rules/apply-rules.js'
import { planRules } from './plan/rules/plan-rules.js'
import type { PlanFacts } from './plan/rules/rule.js'
import { uniquelyNamed } from './plan/unique-names.js'
import type { QueryObject } from './query/query-object.js'
import { type AnswerUnits, answerUnits } from './resolve/answer-units.js'
import { readingsOf } from './resolve/clock.js'
import { type GivenParameters, givenParameters, withValues, writtenValues } from './resolve/given-parameters.js'
import { parametersOfQuery } from './resolve/parameters-of-query.js'
import type { RelationColumn } from './resolve/relation-column.js'
import { resolveQuery } from './resolve/resolve-query.js'
import type { CellView, ResolvedQuery, ResolveOptions, ShownTypes } from './resolve/resolved-query.js'
import { timeRangesIn } from './resolve/time-ranges.js'
import { named, namedError, viewed } from './resolve/views.js'
import { buildStatement } from './sql/build-statement.js'
import type { CompiledQuery } from './sql/compiled-query.js'
import { convertStored } from './sql/convert-stored.js'
import type { Dialect } from './sql/dialect.js'
import { calls } from './sql/expressions-of.js'
import { fewerTables } from './sql/fewer-tables.js'
import { withoutGrownTexts } from './sql/grown-texts.js'
import { withInternalFunctions } from './sql/internal-functions.js'
import { lower } from './sql/lower.js'
import { plainNames } from './sql/plain-names.js'
import { renderStatement } from './sql/render.js'
import {
  applyStatementRules,
  loweredRules,
  type StatementRule,
  spelledRules,
  statementRules,
} from './sql/rules/statement-rules.js'
import type { Statement } from './sql/statement.js'
import { storageClocks, storageOf } from './sql/storage-of.js'
import { storageWarnings } from './sql/storage-warnings.js'
import { withoutHidden } from './sql/without-hidden.js'
import { withinSteps } from './work.js'

/** The input of a compilation besides the query and the model; the same for every query of a host. */
export interface CompileContext {
  readonly dialect: Dialect
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
  /** The clock of the service, read once per query; relative filters and `current_date()` use it. */
  readonly now: Date
  /** How the database stores the columns, or what is assumed of it. */
  readonly storedTypes: StoredTypes
  /** Applied when the query has no limit of its own. */
  readonly defaultLimit?: number
  /** Instead of the tuples of the query's dimensions, one row for each row of this data object, in any order. */
  readonly everyRowOf?: string
  /** Dimensions that the answer shows as times of another type than their periods have, by name. */
  readonly shownAs?: ShownTypes
  /** The names of the columns of the answer, in place of their own. */
  readonly columnNames?: readonly string[]
  /** Compiles not the answer but the rows behind one cell of it, for a query with one measure. */
  readonly behind?: CellView
  /** The values of the parameters that the model's expressions read. They are read only where the statement is written. */
  readonly parameters?: ParameterValues
  /** What stands in the text for a value of access rules, in a view that principals with other values share. */
  readonly placeOf?: (value: Parameter) => string
  /** The tables from which rollups of the model are read, by the names of these, the best first; none by default. */
  readonly rollupTables?: ReadonlyMap<string, TableSource>
  /** The build of each rollup, or why none may be read now; without it, nothing is said of builds. */
  readonly rollupStates?: RollupStates
  /** Refuses a query of which not every number is read from a rollup. */
  readonly requiresRollups?: boolean
  /** The names of rules for speed that are left out: of `RULES`. */
  readonly without?: ReadonlySet<string>
  /** Whether the driver checks after each rule that what each value is computed from is the same. */
  readonly checksRules?: boolean
  /** The maximum number of steps; a query that needs more is refused with `COMPILE_BUDGET`. */
  readonly maxSteps?: number
}

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
export function compileThrough(query: QueryObject, model: SemanticModel, context: CompileContext, arrow: Arrow): CompiledQuery {
  const compiled = () =>
    withinSteps(context.maxSteps ?? Number.POSITIVE_INFINITY, () => compileViewed(query, computedModel(model), context, arrow))
  return model.hiding ? withoutHidden(compiled) : compiled()
}

/** The question to a view is one to the model with the names of the view. */
function compileViewed(asked: QueryObject, declared: SemanticModel, context: CompileContext, arrow: Arrow): CompiledQuery {
  const { query, model, others } = viewed(asked, declared)
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

/** One arrow of the line each: how a query becomes SQL. */
function compileNow(asked: QueryObject, declared: SemanticModel, context: CompileContext, arrow: Arrow): CompiledQuery {
  const given = givenParameters(asked, declared)
  const { query, model } = withValues({ query: asked, model: declared }, given)
  const { dialect, aggregates, now } = context
  const functions = withInternalFunctions(context.functions)
  const { storedAs, believed } = storageOf(model, context.storedTypes, dialect)
  const facts: PlanFacts = { hints: dialect.planner, typeOf: (e) => typeOf<RelationColumn>(e, (leaf) => leaf.type, functions) }
  const speed = { hints: dialect.planner, without: context.without ?? NONE, isChecked: context.checksRules === true }

  const resolved = arrow(
    'resolved',
    renamedOutputs(resolveQuery(query, model, resolveOptions(context, functions)), context.columnNames),
  )
  const units = answerUnits(resolved, { functions, aggregates, values: given.values })
  const hasQuotients = dialect.semantics.exactAverages
  const rollups = context.rollupTables && { sources: context.rollupTables, timezone: query.timezone, hasQuotients }
  const bound = arrow('bound', bindQuery(resolved, { functions, aggregates, storedAs, rules: speed, rollups }))
  const { rollups: tablesRead, facts: readFromFacts } = bound.tablesRead
  const rollupsRead = readBuilds(tablesRead, model, context.rollupStates)
  const verdicts = once(() => {
    const question = { asked, declared, model, storedAs, hasQuotients, context: { functions, aggregates, now } }
    return withStates(verdictsOn(resolved, question), tablesRead, context.rollupStates)
  })
  if (context.requiresRollups && (tablesRead.length === 0 || readFromFacts.length > 0)) refuseFacts(readFromFacts, verdicts())
  const { graph, time } = resolved
  const restrictions = restrictionsOf({ model: resolved.model, graph, time, functions, aggregates, storedAs, rules: speed }, now)
  const canonical = arrow('plan', planRestricted(bound, restrictions))
  const { plan: fast, rules, fault } = applyRules(canonical, facts, speed)
  if (fault !== undefined) fail('INTERNAL_ERROR', fault)
  const found = readPairs(withoutAsOf(arrow('plan', fast), facts.typeOf))
  const plan = arrow('plan', uniquelyNamed(arrow('plan', found), bound.tables))
  const spelling = {
    dialect,
    functions,
    aggregates,
    time: resolved.time,
    parameters: new Map([...writtenValues(model, given), ...(context.parameters ?? [])]),
    held: model.restriction?.values,
    placeOf: context.placeOf,
  }
  const rewritten = (statement: Statement, all: readonly StatementRule[]): Statement =>
    applyStatementRules(statement, all, { ...speed, spelling })
  const built = arrow('statement', buildStatement(plan))
  const brief = arrow('statement', rewritten(built, statementRules))
  const { statement: converted, columns: stored } = convertStored(brief, storageClocks(model, resolved.time.zone), functions)
  const lowered = arrow('lowered', lower(arrow('statement', converted), functions, dialect))
  const fitted = arrow('lowered', fewerTables(arrow('lowered', rewritten(lowered, loweredRules)), dialect.maxCtes))
  const sql = placed(resolved, () => {
    const spelled = arrow('lowered', rewritten(fitted, spelledRules))
    return renderStatement(plainNames(withoutGrownTexts(spelled)), spelling)
  })
  const unchecked = believed()
  const read = readOf(plan)
  const parameters = parametersRead(parametersOfQuery(asked, declared, read.data_objects), given)
  return {
    sql,
    dialect: dialect.name,
    ...describedColumns(bound, units),
    warnings: [...bound.warnings, ...units.warnings, ...storageWarnings(stored, dialect), ...parameterWarnings(parameters)],
    parameters,
    timeRanges: timeRangesIn(resolved),
    limit: resolved.limit,
    readings: readingsOf(resolved.time.clock, [
      ...resolved.clockUnits,
      ...(calls(lowered, 'current_date') ? (['day'] as const) : []),
    ]),
    ...read,
    data_objects: withObjects(read.data_objects, rollupsRead),
    rollups: rollupsRead,
    ...(context.rollupStates &&
      context.rollupStates.size > 0 && { rollupOutcome: () => outcomeOf(bound.tablesRead, verdicts()) }),
    unchecked_columns: unchecked.map(({ name }) => name),
    explain: once(() =>
      explainPlan(plan, bound.bases, resolved, [...stored, ...unchecked], [...bound.rules, ...rules], verdicts()),
    ),
  }
}

interface RollupQuestion {
  readonly asked: QueryObject
  readonly declared: SemanticModel
  /** The model with the values of the question. */
  readonly model: SemanticModel
  readonly storedAs: StoredAs
  readonly hasQuotients: boolean
  readonly context: Pick<CompileContext, 'functions' | 'aggregates' | 'now'>
}

/** Whether the question could be answered from the rollup tables of the model, which are built in its zone and for the defaults of its parameters. */
function verdictsOn(query: ResolvedQuery, { asked, declared, model, storedAs, hasQuotients, context }: RollupQuestion) {
  const { timezone, parameters } = asked
  const isOther = (rollup: Rollup, of: Pick<QueryObject, 'timezone' | 'parameters'>): boolean =>
    rollupDefinition(rollup, declared, context, of) !== rollupDefinition(rollup, declared, context)
  return rollupVerdicts(query, {
    ...{ model, timezone, options: context, storedAs, hasQuotients },
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

const renamedOutputs = (query: ResolvedQuery, names: readonly string[] | undefined): ResolvedQuery =>
  names && query.kind !== 'behind'
    ? { ...query, outputs: query.outputs.map((output, i) => ({ ...output, name: names[i] ?? output.name })) }
    : query

/** What of the context resolving reads. */
function resolveOptions(context: CompileContext, functions: ResolveOptions['functions']): ResolveOptions {
  const { aggregates, now, defaultLimit, everyRowOf, shownAs, behind } = context
  return { functions, aggregates, now, defaultLimit, everyRowOf, shownAs, behind }
}

/** The parameters that the statement reads, with their values. */
const parametersRead = (names: ReadonlySet<string>, { values, defaults }: GivenParameters): CompiledQuery['parameters'] =>
  [...names].toSorted().map((name) => {
    const value = values.get(name)
    return value === undefined ? { name, from: 'nowhere' } : { name, value, from: defaults.has(name) ? 'default' : 'query' }
  })

function parameterWarnings(parameters: CompiledQuery['parameters']): Finding[] {
  const used = parameters
    .filter(({ from }) => from === 'default')
    .map(({ name, value }) => `'${name}' is ${JSON.stringify(value)}`)
  const missing = parameters.filter(({ from }) => from === 'nowhere').map(({ name }) => `'${name}'`)
  const message = `The query gives no value, so the default of the model applies: ${used.join(', ')}`
  return [
    ...(used.length > 0 ? [warning('PARAMETER_DEFAULT_USED', message, { path: 'parameters' })] : []),
    ...(missing.length > 0 ? [warning('PARAMETER_REQUIRED', missingText(missing), { path: 'parameters' })] : []),
  ]
}

const missingText = (names: readonly string[]): string =>
  `The query reads ${names.join(', ')}, gives no value, and the model has no default: the statement shows the columns, with NULL in place of the value, and is not run`

function describedColumns(
  { rows: { outputs }, bases }: BoundQuery,
  { units }: AnswerUnits,
): Pick<CompiledQuery, 'columns' | 'resolved'> {
  const namesOf = (...roles: readonly string[]): string[] =>
    outputs.filter(({ role }) => roles.includes(role)).map(({ name }) => name)
  return {
    columns: outputs.map(({ name, type, displayAs, role, format }) => ({
      name,
      type: displayAs ?? type,
      role,
      ...(format !== undefined && { format }),
      ...(units.has(name) && { unit: entryOf(units, name) }),
    })),
    resolved: {
      fact_tables: [...new Set(bases)],
      dimensions: namesOf('dimension'),
      measures: namesOf('measure', 'metric'),
    },
  }
}

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
