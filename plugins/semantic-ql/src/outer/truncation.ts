/** `date_trunc` in an outer statement: weeks begin where those of the models begin, and a period of a date is a date. */
import { DATE, type ModelScope, type NamedModel, type WeekStart } from '@grainline/core/language'
import { constantOf } from '../constants.js'
import {
  bodiesOf,
  bodyOf,
  type FuncCall,
  functionName,
  locationOf,
  type Node,
  nodesIn,
  type SelectStmt,
} from '../grammar/node.js'
import { unsupported } from '../refusal.js'
import { timeOf } from './column-times.js'
import type { Scope } from './scope.js'
import { relationOf } from './sole-relation.js'
import type { Writer } from './writer.js'

/** A call as the evaluator spells it; `undefined` for any other function. `args`: the text of its arguments. */
export function truncationText(call: FuncCall, args: readonly string[], writer: Writer, scope: Scope): string | undefined {
  const name = functionName(call.funcname)
  const truncate = name === 'date_trunc' ? writer.evaluator.functions[name]?.spelled : undefined
  if (!truncate) return undefined
  const [unit, moment] = call.args ?? []
  const weekStart = mayBeWeek(unit, writer) ? oneWeekStart(call, writer) : 'monday'
  const text = truncate(args, weekStart)
  return isDate(moment, scope) ? `CAST(${text} AS ${writer.evaluator.type(DATE)})` : text
}

/** A unit that is computed may be any. */
function mayBeWeek(unit: Node | undefined, { parameters }: Writer): boolean {
  const constant = bodyOf(unit, 'A_Const')
  const parameter = bodyOf(unit, 'ParamRef')
  const written = constant ? constantOf(constant, undefined).value : parameter && parameters[(parameter.number ?? 0) - 1]?.value
  return typeof written !== 'string' || /week|^ws?$/i.test(written)
}

/** The models that a statement names, by the day on which their weeks begin. */
export function weekStartsOf<M extends NamedModel>(stmt: SelectStmt, models: ModelScope<M>): ReadonlyMap<WeekStart, string> {
  const named = modelsIn(stmt, models, new Set())
  const read = named.length === 0 && models.chosen ? [models.chosen] : named
  return new Map(read.map(({ model, names }) => [model.settings.weekStart, names[0] ?? '']))
}

/** `made`: the names that WITH gives, which are no models. */
function modelsIn<M extends NamedModel>(
  { withClause, ...body }: SelectStmt,
  models: ModelScope<M>,
  made: ReadonlySet<string>,
): readonly M[] {
  const known = new Set(made)
  const found: M[] = []
  for (const { ctename = '', ctequery } of bodiesOf(withClause?.ctes, 'CommonTableExpr')) {
    const query = bodyOf(ctequery, 'SelectStmt')
    if (query) found.push(...modelsIn(query, models, known))
    known.add(ctename)
  }
  for (const node of nodesIn(body, (each) => !('SelectStmt' in each))) {
    const query = bodyOf(node, 'SelectStmt')
    if (query) found.push(...modelsIn(query, models, known))
    const read = 'RangeVar' in node ? relationOf(node, models, known) : undefined
    if (read) found.push(read.model)
  }
  return found
}

function oneWeekStart(call: FuncCall, { weekStarts, sql }: Writer): WeekStart {
  const [first, ...others] = weekStarts()
  if (others.length > 0) {
    const named = [...weekStarts()].map(([day, model]) => `'${model}' (${day})`).join(' and ')
    unsupported('date_trunc', `The outer statement reads models whose weeks begin on different days: ${named}`, {
      at: sql.place(call.location ?? locationOf({ FuncCall: call })),
      rewrite: `date_trunc('week', …) in the subselect of each model, and its column here`,
    })
  }
  return first?.[0] ?? 'monday'
}

/** Whether an expression surely has the type `date`. */
function isDate(node: Node | undefined, scope: Scope): boolean {
  if (bodyOf(node, 'SQLValueFunction')?.op === 'SVFOP_CURRENT_DATE') return true
  const several = bodyOf(node, 'CoalesceExpr')?.args ?? bodyOf(node, 'MinMaxExpr')?.args ?? resultsOf(node)
  const values = several?.filter((each) => !bodyOf(each, 'A_Const')?.isnull)
  if (values) return values.length > 0 && values.every((each) => isDate(each, scope))
  return timeOf(node, scope)?.kind === 'date'
}

function resultsOf(node: Node | undefined): readonly Node[] | undefined {
  const cases = bodyOf(node, 'CaseExpr')
  return cases && [...bodiesOf(cases.args, 'CaseWhen').map(({ result }) => result), ...(cases.defresult ? [cases.defresult] : [])]
}
