/** A SELECT over one relation, as a question has its parts. */
import { LeftOut } from './left-out.js'
import { body, listOf, wordsOf } from './sql-node.js'

/** A node of the grammar, which `SqlReader.written` writes. */
export type SqlNode = unknown

export interface SelectStatement {
  /** The relation, by its words. */
  readonly from: readonly string[]
  readonly items: readonly { readonly node: SqlNode; readonly alias: string | undefined }[]
  /** Conditions that all hold. */
  readonly where: readonly SqlNode[]
  readonly having: readonly SqlNode[]
  /** Undefined for GROUP BY ALL. */
  readonly groups: readonly SqlNode[]
  readonly order: readonly { readonly node: SqlNode; readonly isDescending: boolean }[]
  readonly limit: number | undefined
}

const KEYS = new Set('targetList fromClause whereClause groupClause havingClause sortClause limitCount limitOption op'.split(' '))

/** Throws `LeftOut` for every statement that has other parts. */
export function selectOf(node: SqlNode): SelectStatement {
  const select = body(node, 'SelectStmt')
  if (!select) throw new LeftOut('it is no SELECT')
  const odd = Object.keys(select).find((key) => !KEYS.has(key) && key !== 'groupDistinct')
  if (odd !== undefined || (select['op'] !== undefined && select['op'] !== 'SETOP_NONE'))
    throw new LeftOut(`it has more than a SELECT over one table (${NAMES[odd ?? ''] ?? odd ?? 'UNION'})`)
  return {
    from: relationOf(listOf(select['fromClause'])),
    items: listOf(select['targetList']).map((each) => {
      const target = body(each, 'ResTarget')
      return { node: target?.['val'], alias: target?.['name'] === undefined ? undefined : String(target['name']) }
    }),
    where: conjuncts(select['whereClause']),
    having: conjuncts(select['havingClause']),
    groups: listOf(select['groupClause']),
    order: listOf(select['sortClause']).map((each) => {
      const sort = body(each, 'SortBy')
      if (sort?.['sortby_nulls'] !== 'SORTBY_NULLS_DEFAULT') throw new LeftOut('its order says where NULLs are')
      return { node: sort['node'], isDescending: sort['sortby_dir'] === 'SORTBY_DESC' }
    }),
    limit: limitOf(select['limitCount']),
  }
}

const NAMES: Readonly<Record<string, string>> = {
  ...{ withClause: 'WITH', windowClause: 'WINDOW', distinctClause: 'DISTINCT', limitOffset: 'OFFSET', larg: 'UNION' },
}

function relationOf([relation, more]: readonly unknown[]): readonly string[] {
  const range = body(relation, 'RangeVar')
  if (!range || more !== undefined) throw new LeftOut('it reads more than one table, or a query')
  return ['catalogname', 'schemaname', 'relname'].flatMap((key) => (range[key] === undefined ? [] : [String(range[key])]))
}

const conjuncts = (node: unknown): readonly unknown[] => {
  if (node === undefined) return []
  const both = body(node, 'BoolExpr')
  return both?.['boolop'] === 'AND_EXPR' ? listOf(both['args']).flatMap(conjuncts) : [node]
}

function limitOf(node: unknown): number | undefined {
  if (node === undefined) return undefined
  const value = wholeNumber(node)
  if (value === undefined) throw new LeftOut('its limit is no number')
  return value
}

/** A number that is written out: a limit, or the place of a column. */
export function wholeNumber(node: unknown): number | undefined {
  const constant = body(node, 'A_Const')?.['ival']
  const value =
    typeof constant === 'object' && constant !== null ? (constant as Readonly<Record<string, unknown>>)['ival'] : undefined
  return typeof value === 'number' ? value : undefined
}

/** The words of a node that is one column. */
export function columnWords(node: unknown): readonly string[] | undefined {
  const column = body(node, 'ColumnRef')
  return column && wordsOf(column['fields'])
}
