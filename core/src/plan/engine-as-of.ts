import { zip } from '../invariant.js'
import { INT } from '../model/data-type.js'
import { mapLeaves } from '../model/expression/ast.js'
import type { AsOf } from '../model/join-term.js'
import { madeOf } from '../relation/relation.js'
import { binary, integer, onlyWhere } from '../resolve/expressions.js'
import { nearEnough } from '../resolve/in-period.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { equal, holds } from '../resolve/row-terms.js'
import { isSame } from '../same.js'
import { type LogicalPlan, type NamedExpr, type NamedWindow, type Project, sameColumn, staged } from './logical-plan.js'
import { namedColumns, withColumns } from './renamed-columns.js'
import { columnsRead, type JoinOfSpine, type ReadSpine, relationsOf, type TypeOf } from './spine.js'
import { candidatesOf, comparedBy, inOrder, isKey, momentOf } from './times-of-rows.js'

/**
 * A join to the last row before a time as one that the engine knows. The engine chooses any of several rows of one time, so that only the one to be found is left. A
 * row that is too far away is found nevertheless, and none of its values is read.
 */
export function engineJoin({ join, below, above, reader }: JoinOfSpine, term: AsOf<RowExpr>, typeOf: TypeOf): ReadSpine {
  const rows = candidatesOf(join, term)
  const { here, there } = comparedBy(join, term, typeOf)
  const [alias = ''] = relationsOf(rows)
  const found = namedColumns(
    columnsRead([...above, reader]).filter(({ table }) => table === alias),
    [...there, PLACE],
  )
  const right = oneOfEachTime(rows, { alias, join, term, there, columns: [...there, ...found], typeOf })
  const compared = zip(here, there).map(([own, theirs]) => ({ own, at: relationColumn(alias, theirs.name, theirs.type) }))
  const near = zip(momentOf(here), momentOf(there)).flatMap(
    ([{ expression, type }, { name }]) =>
      nearEnough(term, { value: expression, at: relationColumn(alias, name, type) }, type) ?? [],
  )
  const read = (leaf: RelationColumn): RowExpr => {
    const column = found.find(({ expression }) => isSame(expression, leaf))
    return column ? onlyWhere(near[0], relationColumn(alias, column.name, column.type)) : leaf
  }
  const change = (expression: RowExpr): RowExpr => mapLeaves<RelationColumn, RelationColumn>(expression, read)
  const on = compared.map(({ own, at }) =>
    isKey(own)
      ? equal<RelationColumn>(own.expression, at)
      : holds<RelationColumn>(binary(term.direction === 'backward' ? '>=' : '<=', own.expression, at)),
  )
  return {
    spine: {
      start: below.start,
      steps: [...below.steps, { ...join, right, on, nearest: true }, ...above.map((step) => withColumns(step, change))],
    },
    reader: withColumns(reader, change),
  }
}

const PLACE: NamedExpr = { name: 'place', type: INT, expression: integer(0) }

interface Choosing {
  readonly alias: string
  readonly join: JoinOfSpine['join']
  readonly there: readonly NamedExpr[]
  readonly term: AsOf<RowExpr>
  readonly columns: readonly NamedExpr[]
  readonly typeOf: TypeOf
}

/** Of several rows of one time, the one with the greatest key. */
function oneOfEachTime(rows: LogicalPlan, { alias, join, term, there, columns, typeOf }: Choosing): Project {
  if (term.ties.length === 0) return staged(rows, alias, columns)
  const each = madeOf(join.label.to, '_rows', [alias])
  const place: NamedWindow = {
    name: PLACE.name,
    function: 'row_number',
    args: [],
    partitionBy: there.map(({ expression }) => expression),
    orderBy: inOrder(term.at, term, typeOf)
      .slice(1)
      .map((tie) => ({ ...tie, descending: true })),
    type: INT,
  }
  const placed: LogicalPlan = { kind: 'window', alias: each, input: rows, columns, calls: [place] }
  const condition = binary<RelationColumn>('=', relationColumn(each, PLACE.name, INT), integer(1))
  const reason = 'of one time, the row with the greatest key'
  return staged(
    { kind: 'filter', input: placed, condition, reason },
    alias,
    columns.map((column) => sameColumn(column, each)),
  )
}
