/**
 * A model joined with its largest groups, where all other groups are one, as tools write "and all others": the `top` of a query, which
 * aggregates the rows of the others again.
 */
import type { NamedModel } from '@grainline/core/language'
import { bodyOf, type Node, nodesIn, notASubquery, type SelectStmt, theBody, wordsOf } from '../grammar/node.js'
import { rewritten } from '../grammar/rewrite.js'
import { conjunctsOf } from '../select/conditions.js'
import { type ModelSelect, readModelSelect } from '../select/model-select.js'
import { nameOf } from '../targets.js'
import type { Scope } from './scope.js'
import { type KeyedJoin, keyedJoin } from './semi-join.js'
import { soleRelation, withConditions } from './sole-relation.js'
import type { StatementWriter } from './writer.js'

/** The SELECT as one query of the model; `undefined` if `top` would have another meaning. */
export function topJoin<M extends NamedModel>(
  stmt: SelectStmt,
  writer: StatementWriter<M>,
  scope: Scope,
): ModelSelect<M> | undefined {
  const join = keyedJoin(stmt, writer, scope)
  const chosen = join?.type === 'JOIN_LEFT' ? chosenBy(join, writer, scope) : undefined
  if (!join || !chosen) return undefined
  const found: Others[] = []
  const change = (node: Node): Node | undefined => {
    const others = othersOf(node, chosen.key, join)
    if (others) found.push(others)
    return others?.value
  }
  const targetList = (stmt.targetList ?? []).map((each) => {
    const target = theBody(each, 'ResTarget')
    return {
      ResTarget: { ...target, name: target.name ?? nameOf(target.val), val: rewritten(target.val, change, notASubquery) },
    }
  })
  const { fromClause: _joined, ...rest } = rewritten({ ...stmt, targetList }, change, notASubquery)
  const [others, ...more] = found
  if (!others || more.some(({ label }) => label !== others.label) || readsSubquery(rest, join)) return undefined
  const written = withConditions({ ...rest, fromClause: [join.model] }, join.named)
  const select = readModelSelect({ written, named: join.named.model, alias: join.called }, writer)
  const compared = [...found.map(({ value }) => value), ...comparedWith(chosen.key, join)]
  const isChosen = compared.every((node) => select.labelOf(node) === chosen.dimension)
  if (!isChosen || !isPlain(select, chosen)) return undefined
  const { dimension, by, n, ascending } = chosen
  const top = { dimension, by, n, ...(ascending && { order: 'asc' as const }), others: others.label }
  return {
    ...select,
    preview: undefined,
    query: { ...select.query, top },
    columns: [...select.columns, `${dimension} is others`],
  }
}

/** The groups that a subquery chooses. */
interface Chosen {
  /** The name of the subquery's column that holds their values. */
  readonly key: string
  readonly dimension: string
  readonly by: string
  readonly n: number
  readonly ascending: boolean
  readonly where: unknown
}

/** The largest or smallest groups of a text; `undefined` for any other subquery. */
function chosenBy<M extends NamedModel>(join: KeyedJoin<M>, writer: StatementWriter<M>, scope: Scope): Chosen | undefined {
  const inner = bodyOf(bodyOf(join.subquery, 'RangeSubselect')?.subquery, 'SelectStmt')
  const sole = inner && soleRelation(inner, writer.models, scope.made, writer)
  if (!sole || sole.model !== join.named.model) return undefined
  const { query, items, rest } = readModelSelect(
    { written: withConditions(inner, sole), named: sole.model, alias: sole.alias },
    writer,
  )
  const { select, where = [], having, order_by: order = [], limit: n, offset, grouping } = query
  const [dimension, ...others] = select.dimensions ?? []
  const [sort, ...further] = order
  if (rest || having || offset || grouping || n === undefined || n < 1 || others.length + further.length > 0) return undefined
  if (typeof dimension !== 'string' || !sort || sort.nulls || !select.measures?.includes(sort.field)) return undefined
  if (sole.model.model.dimensions.get(dimension)?.type.kind !== 'string') return undefined
  const key = items.find(({ column }) => column === dimension)?.name
  return key === undefined ? undefined : { key, dimension, by: sort.field, n, ascending: sort.direction !== 'desc', where }
}

interface Others {
  /** The name of the dimension in the statement. */
  readonly value: Node
  /** The name of the group of all others. */
  readonly label: string
}

/** `CASE WHEN chosen.key IS NOT NULL THEN value ELSE 'Others' END`. */
function othersOf<M extends NamedModel>(node: Node, key: string, { subColumn }: KeyedJoin<M>): Others | undefined {
  const cases = bodyOf(node, 'CaseExpr')
  const [branch, ...more] = cases?.args ?? []
  const { expr, result } = bodyOf(branch, 'CaseWhen') ?? {}
  const test = bodyOf(expr, 'NullTest')
  const label = bodyOf(cases?.defresult, 'A_Const')?.sval?.sval
  if (cases?.arg || more.length > 0 || test?.nulltesttype !== 'IS_NOT_NULL' || !result || label === undefined) return undefined
  return test.arg && subColumn(test.arg) === key && subColumn(result) === undefined ? { value: result, label } : undefined
}

const readsSubquery = <M extends NamedModel>(stmt: SelectStmt, { subColumn }: KeyedJoin<M>): boolean =>
  nodesIn(stmt).some((node) => 'A_Star' in node || 'SubLink' in node || ('ColumnRef' in node && subColumn(node) !== undefined))

/** The column that the only condition of the join compares with the chosen values; another node if the condition has another form. */
function comparedWith<M extends NamedModel>(key: string, { quals, subColumn }: KeyedJoin<M>): readonly Node[] {
  const [condition, ...more] = conjunctsOf(quals)
  const test = bodyOf(condition, 'A_Expr')
  if (more.length > 0 || test?.kind !== 'AEXPR_OP' || wordsOf(test.name)[0] !== '=') return [quals]
  const sides = test.lexpr ? [test.lexpr, test.rexpr] : []
  return sides.some((side) => subColumn(side) === key) ? sides.filter((side) => subColumn(side) !== key) : [quals]
}

/** Whether `top` chooses with the same conditions, and no part of the statement uses the group of the others as a value. */
function isPlain<M extends NamedModel>({ query, values }: ModelSelect<M>, { dimension, where }: Chosen): boolean {
  const { where: own = [], having, order_by: order = [], grouping } = query
  const isOrdered = order.some(({ field }) => field === dimension)
  return values.length === 0 && !having && !grouping && !isOrdered && JSON.stringify(own) === JSON.stringify(where)
}
