import { type DataType, INT } from '../model/data-type.js'
import { integer } from '../resolve/expressions.js'
import type { Select, SqlExpr, Statement } from '../sql/statement.js'
import type { KeyExample } from './report.js'
import { keyAt, numberAt, runStatement } from './run-statement.js'
import { ALWAYS, aggregate, column, item, leftJoin, ordered, part, select, sumWhere } from './sql-parts.js'
import type { VerifyContext } from './verify-context.js'
import { MOST_EXAMPLES } from './verify-object.js'

/** Groups of rows, of which some break a rule. */
export interface Groups {
  readonly ctes: Statement['ctes']
  /** The columns of its key first. */
  readonly query: Select
  readonly keys: readonly { readonly name: string; readonly type: DataType }[]
  /** Whether a group breaks the rule, over its columns. */
  readonly isOff: (read: (name: string, type: DataType) => SqlExpr) => SqlExpr
}

export interface OffGroups {
  readonly groups: number
  readonly off: number
  readonly examples: readonly KeyExample[]
}

/** One statement: how many groups there are, and those that break the rule. */
export async function offGroups({ ctes, query, keys, isOff }: Groups, context: VerifyContext): Promise<OffGroups> {
  const read = (name: string, type: DataType): SqlExpr => column('sums', name, type)
  const away = isOff(read)
  const totals = select(
    [item('groups', aggregate('count', [], INT), INT), item('off', sumWhere(integer(1), [away]), INT)],
    part('sums'),
  )
  const examples = select(
    keys.map((l) => item(l.name, read(l.name, l.type), l.type)),
    part('sums'),
    {
      where: [away],
      orderBy: keys.map((l) => ordered(read(l.name, l.type), l.type)),
      limit: MOST_EXAMPLES,
    },
  )
  const body = select(
    [
      ...totals.items.map(({ alias, type }) => item(alias, column('totals', alias, type), type)),
      ...examples.items.map(({ alias, type }) => item(alias, column('examples', alias, type), type)),
    ],
    leftJoin(part('totals'), part('examples'), ALWAYS),
  )
  const all = [...ctes, { name: 'sums', query }, { name: 'totals', query: totals }, { name: 'examples', query: examples }]
  const rows = await runStatement(all, body, context)
  const off = numberAt(rows[0], 'off')
  const names = keys.map((l) => l.name)
  return { groups: numberAt(rows[0], 'groups'), off, examples: off === 0 ? [] : rows.map((row) => keyAt(row, names)) }
}
