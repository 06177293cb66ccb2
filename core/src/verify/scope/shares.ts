import { firstOf } from '../../invariant.js'
import { FLOAT, INT } from '../../model/data-type.js'
import type { ColumnRef, Expr } from '../../model/expression/ast.js'
import { integer } from '../../resolve/expressions.js'
import type { SqlExpr } from '../../sql/statement.js'
import { numberAt } from '../run-statement.js'
import { aggregate, item, sumWhere } from '../sql-parts.js'
import type { VerifyContext } from '../verify-context.js'
import { askTotals } from './ask-rows.js'
import type { ObjectFacts } from './object-facts.js'

/** How many rows satisfy a condition, and which share of each sum they make: `12 of 400 rows (3 %), 41 % of Revenue`. */
export async function shareOf(facts: ObjectFacts, condition: Expr<ColumnRef>, context: VerifyContext): Promise<Share> {
  const sums = facts.sums.map((measure, i) => [`s${i}`, firstOf(measure.inputs)] as const)
  const row = await askTotals(
    { object: facts.object.name, wanted: { chosen: asFlag(condition), ...Object.fromEntries(sums) } },
    (reads) => {
      const isChosen: SqlExpr = { kind: 'binary', operator: '=', left: reads['chosen'] ?? integer(0), right: integer(1) }
      return [
        item('chosen_rows', sumWhere(integer(1), [isChosen]), INT),
        ...sums.flatMap(([name]) => {
          const value: SqlExpr = { kind: 'cast', operand: reads[name] ?? integer(0), type: FLOAT }
          const chosen: SqlExpr = { kind: 'case', branches: [{ when: isChosen, then: value }], otherwise: undefined }
          return [
            item(`${name}_part`, aggregate('sum', [chosen], FLOAT), FLOAT),
            item(`${name}_all`, aggregate('sum', [value], FLOAT), FLOAT),
          ]
        }),
      ]
    },
    context,
  )
  const rows = numberAt(row, 'chosen_rows')
  const shares = facts.sums.flatMap(({ name }, i) => {
    const whole = numberAt(row, `s${i}_all`)
    return whole === 0 ? [] : [`${percent(numberAt(row, `s${i}_part`) / whole)} of ${name}`]
  })
  return {
    rows,
    says: [`${counted(rows)} of ${counted(facts.rows)} rows (${percent(rows / Math.max(1, facts.rows))})`, ...shares].join(', '),
  }
}

export interface Share {
  readonly rows: number
  readonly says: string
}

/** 1 or 0: a condition as a value that every engine has. */
const asFlag = (condition: Expr<ColumnRef>): Expr<ColumnRef> => ({
  kind: 'case',
  branches: [{ when: condition, then: integer(1) }],
  otherwise: integer(0),
})

export const percent = (share: number): string => (share > 0 && share < 0.01 ? 'under 1 %' : `${Math.round(share * 100)} %`)

export const counted = (count: number): string => count.toLocaleString('en-US')
