/** A subselect without the measures that the outer statement does not read. Its groups do not change. */
import type { SemanticModel } from '@grainline/core'
import { componentsOf, computedModel, measuresAt } from '@grainline/core/language'
import {
  bodiesOf,
  bodyOf,
  columnNode,
  type Node,
  nodesIn,
  type SelectStmt,
  theBody,
  wordNodes,
  wordsOf,
} from '../grammar/node.js'
import { isOfItsRows, rowCountOf } from '../main-fact.js'
import { type ModelRelation, readsOf } from '../model-relation.js'
import { nameOf } from '../targets.js'

/** `outer` reads only this subselect, under the alias. */
export function pruned(inner: SelectStmt, outer: SelectStmt, alias: string | undefined, relation: ModelRelation): SelectStmt {
  const { targetList = [], distinctClause, groupClause = [], sortClause = [] } = inner
  const positions = [...groupClause, ...bodiesOf(sortClause, 'SortBy').map(({ node }) => node)]
  if (distinctClause || positions.some((each) => 'A_Const' in each)) return inner
  const read = namesRead(outer, alias)
  if (!read) return inner
  const isRead = (each: Node): boolean => {
    const { name, val } = theBody(each, 'ResTarget')
    if (nodesIn(val).some((node) => 'A_Star' in node)) return true
    return read.has(name ?? nameOf(val, relation)) || !measuresOf(val, relation).length || isNamed(name, positions)
  }
  const kept = targetList.filter(isRead)
  if (kept.length === targetList.length) return inner
  const dropped = targetList.filter((each) => !kept.includes(each))
  const { model } = relation.named
  const measuresIn = (targets: readonly Node[]) => targets.flatMap((each) => measuresOf(theBody(each, 'ResTarget').val, relation))
  const missing = furtherBases(measuresIn(dropped), measuresIn(kept), model)
  const counts = missing.flatMap((base) => rowCountOf(model, base) ?? [])
  if (counts.length < missing.length) return inner
  return { ...inner, targetList: [...kept, ...counts.map((measure) => counted(measure.name))] }
}

/** Whether all groups of the measures are groups of those that are read. */
export const addsNoGroup = (unread: readonly string[], read: readonly string[], model: SemanticModel): boolean =>
  furtherBases(unread, read, model).length === 0

/** The objects of the measures whose rows no measure that is read counts completely. */
function furtherBases(unread: readonly string[], read: readonly string[], model: SemanticModel): string[] {
  const plain = read.filter((name) => isPlain(name, model))
  return basesOf(unread, model).filter((base) => !plain.some((name) => measuresAt(model, base).includes(name)))
}

/** The rows of a fact create the same groups as any of its measures. */
const counted = (name: string): Node => ({
  ResTarget: { name: `rows: ${name}`, val: { FuncCall: { funcname: wordNodes('measure'), args: [columnNode(name)] } } },
})

const isNamed = (name: string | undefined, nodes: readonly Node[]): boolean =>
  nodes.some((node) => wordsOf(bodyOf(node, 'ColumnRef')?.fields).at(-1) === name && name !== undefined)

const measuresOf = (node: Node, relation: ModelRelation): string[] =>
  readsOf(node, relation).flatMap(({ role, text }) => (role === 'measure' ? [text] : []))

function isPlain(name: string, model: SemanticModel): boolean {
  const measure = model.measures.get(name)
  return measure !== undefined && isOfItsRows(measure) && measure.filters.length === 0
}

/** The objects of the measures. */
function basesOf(names: readonly string[], shown: SemanticModel): string[] {
  const model = computedModel(shown)
  const parts = (name: string): readonly string[] => {
    const metric = model.metrics.get(name)
    return metric ? componentsOf(metric).flatMap(parts) : [name]
  }
  const wanted = new Set(names.flatMap(parts))
  return [...model.dataObjects.keys()].filter((object) => measuresAt(model, object).some((name) => wanted.has(name)))
}

/** The columns of the subselect that the outer statement reads; `undefined` if it reads all. */
function namesRead({ fromClause: _, ...outer }: SelectStmt, alias: string | undefined): ReadonlySet<string> | undefined {
  const columns = nodesIn(outer).flatMap((node) => bodyOf(node, 'ColumnRef')?.fields ?? [])
  if (columns.some((field) => 'A_Star' in field)) return undefined
  const names = nodesIn(outer).flatMap((node) => {
    const words = wordsOf(bodyOf(node, 'ColumnRef')?.fields)
    return words.length === 1 || words.at(-2) === alias ? words.slice(-1) : []
  })
  return new Set(names)
}
