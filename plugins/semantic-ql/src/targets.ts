/** The items of a SELECT list, `*` written out. */
import { lastOf } from '@grainline/core'
import {
  bodyOf,
  columnNode,
  type FuncCall,
  functionName,
  kindOf,
  type Node,
  type SelectStmt,
  theBody,
  wordsOf,
} from './grammar/node.js'
import { factOf } from './main-fact.js'
import { type ModelRelation, placeIn, readsOf } from './model-relation.js'
import { refuse, unsupported } from './refusal.js'

export interface Target {
  readonly node: Node
  /** Its alias in the statement. */
  readonly alias: string | undefined
  /** Its name in the answer. */
  readonly name: string
}

export function targetsOf({ targetList = [] }: SelectStmt, relation: ModelRelation): Target[] {
  return targetList.flatMap((each) => {
    const { name: alias, val } = theBody(each, 'ResTarget')
    const star = bodyOf(val, 'ColumnRef')
    if (star?.fields?.some((field) => 'A_Star' in field)) return everything(wordsOf(star.fields.slice(0, -1)), relation, val)
    return [{ node: val, alias, name: alias ?? nameOf(val, relation) }]
  })
}

/** `*` and `model.*` preview the model, `"Object".*` are the columns of a data object. */
function everything(words: readonly string[], relation: ModelRelation, node: Node): Target[] {
  const { model } = relation.named
  const object = model.dataObjects.get(words.at(-1) ?? '')
  if (words.length > 0 && !relation.owns([...words, '*']) && object) {
    return [...object.columns.keys()].map((column) => ({ node: columnNode(object.name, column), alias: undefined, name: column }))
  }
  if (words.length > 0 && !relation.owns([...words, '*']))
    refuse('UNKNOWN_SELECT_ITEM', `'${words.join('.')}' is neither the model nor a data object of it`, {
      at: placeIn(relation, node),
    })
  const at = placeIn(relation, node)
  factOf(relation.named, at)
  const columns = relation.relationColumns.get(relation.named)?.schema ?? unsupported('*', '* is not understood here', { at })
  return columns.map(({ name }) => ({ node: columnNode(name), alias: undefined, name }))
}

/** The name that SQL gives it; a field keeps its own name. */
export function nameOf(node: Node, relation?: ModelRelation): string {
  const column = bodyOf(node, 'ColumnRef')
  if (column) return fieldName(node, relation) ?? lastOf(wordsOf(column.fields))
  const call = bodyOf(node, 'FuncCall')
  if (call) return (wrapsColumn(call) && relation?.measure(call) && fieldName(node, relation)) || functionName(call.funcname)
  const cast = bodyOf(node, 'TypeCast')
  if (cast) return bodyOf(cast.arg, 'A_Const') ? (wordsOf(cast.typeName?.names).at(-1) ?? '?column?') : nameOf(cast.arg, relation)
  return NAMES[kindOf(node)] ?? '?column?'
}

const wrapsColumn = ({ args }: FuncCall): boolean => bodyOf(args?.[0], 'ColumnRef') !== undefined

function fieldName(node: Node, relation: ModelRelation | undefined): string | undefined {
  const leaf = relation && readsOf(node, relation)[0]
  return leaf?.role === 'column' ? leaf.text.slice(leaf.text.indexOf('.') + 1) : leaf?.text
}

const NAMES: Partial<Record<string, string>> = {
  CaseExpr: 'case',
  CoalesceExpr: 'coalesce',
  MinMaxExpr: 'greatest',
  SQLValueFunction: 'current_date',
  GroupingFunc: 'grouping',
}
