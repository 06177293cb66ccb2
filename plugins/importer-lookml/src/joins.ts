/** Joins of explores → joins, written at the side of many. */
import {
  type ColumnPair,
  endsAtKey,
  equalColumns,
  type JoinEntry,
  joinsFrom,
  LeftOut,
  type Part,
  physical,
  quoted,
  sameJoin,
  sameType,
} from '@grainline/importer-dbt/foreign'
import { columnOf, dimensionNamed } from './columns.js'
import { type Context, type Role, roleNamed } from './context.js'
import { trimmed } from './keys.js'
import { expressionOf } from './references.js'
import { isPrimary } from './views.js'

const RELATIONSHIPS: Readonly<Record<string, { readonly joinType: string; readonly isTurned: boolean }>> = {
  many_to_one: { joinType: 'many-to-one', isTurned: false },
  one_to_many: { joinType: 'many-to-one', isTurned: true },
  one_to_one: { joinType: 'one-to-one', isTurned: false },
  many_to_many: { joinType: 'many-to-many', isTurned: false },
}

/** Adds the join of a view to those before it in the explore. Returns the view that it is joined to. */
export function joinOf(explore: string, base: Role, own: Role, part: Part, context: Context): Role {
  const { draft } = context
  const type = part.text('type') ?? 'left_outer'
  if (type !== 'left_outer' && type !== 'inner') throw new LeftOut(`a join '${type}' has no place in the model`, part.at('type'))
  if (part.has('sql_where'))
    throw new LeftOut('its sql_where is a condition of every question that takes the join', part.at('sql_where'))
  if (part.has('sql')) throw new LeftOut('its sql is a join in the words of a database', part.at('sql'), 'Write sql_on.')
  if (type === 'inner')
    draft.lose(
      'rewritten',
      `The join of '${own.name}' in '${explore}' keeps rows without a match: they are under NULL.`,
      part.place,
    )
  const { other, pairs } = part.has('foreign_key') ? byForeignKey(base, own, part, context) : byCondition(own, part, context)
  const written = part.text('relationship') ?? 'many_to_one'
  const relationship = Object.hasOwn(RELATIONSHIPS, written) ? RELATIONSHIPS[written] : undefined
  if (!relationship) throw new LeftOut(`'${written}' is no relationship of LookML`, part.at('relationship'))
  const [from, to] = relationship.isTurned ? [own, other] : [other, own]
  const [ends, starts] = [pairs.map((pair) => pair.own), pairs.map((pair) => pair.other)]
  const entry: JoinEntry = {
    ...{ joinType: relationship.joinType, joinTo: to.name },
    columnsFrom: relationship.isTurned ? ends : starts,
    columnsTo: relationship.isTurned ? starts : ends,
  }
  for (const pair of pairs) sameType(own, pair.own, other, pair.other)
  add(explore, entry, from, to, part, context)
  return other
}

function add(explore: string, entry: JoinEntry, from: Role, to: Role, part: Part, { draft }: Context): void {
  const { same, turned } = sameJoin(entry, from, to)
  const isSymmetric = entry.joinType !== 'many-to-one'
  if (same?.joinType === entry.joinType || (isSymmetric && turned?.joinType === entry.joinType)) return
  if (same || turned) throw new LeftOut('another explore declares it with another relationship', part.at('relationship'))
  if (joinsFrom(from).some(({ joinTo }) => joinTo === to.name) || joinsFrom(to).some(({ joinTo }) => joinTo === from.name))
    throw new LeftOut(
      'another explore joins these views by other columns',
      part.place,
      "Give this join another name, with 'from'.",
    )
  const filtered = [to, ...(isSymmetric ? [from] : [])].find(({ condition }) => condition !== undefined)
  if (filtered)
    throw new LeftOut(
      `'${filtered.name}' is a query with a condition, which would leave out the rows that lead to it`,
      part.place,
      'Create a view with this query in the database, and write sql_table_name.',
    )
  const joins = [...joinsFrom(from), entry]
  from.entry['joins'] = joins
  const path = ['dataObjects', from.name, 'joins', joins.length - 1]
  draft.places.push({ path, place: part.place })
  if (entry.joinType === 'many-to-many' || endsAtKey(entry.columnsTo, to)) return
  draft.assumeKey(`The join of '${part.text('name')}' in '${explore}' ends at no primary key of '${to.name}'.`, part.place, path)
}

interface Pairs {
  readonly other: Role
  readonly pairs: readonly ColumnPair[]
}

/** The field of the first view that contains the key of this one. */
function byForeignKey(base: Role, own: Role, part: Part, context: Context): Pairs {
  const [first = '', second] = (trimmed(part, 'foreign_key') ?? '').split('.')
  const other = second === undefined ? base : roleNamed(first, context)
  const key = [...own.view.dimensions].find(([, each]) => isPrimary(each.part))?.[0]
  if (key === undefined) throw new LeftOut(`'${own.name}' has no primary key`, part.at('foreign_key'))
  return { other, pairs: [{ own: columnOf(key, own, context), other: columnOf(second ?? first, other, context) }] }
}

/** The columns that are equal. */
function byCondition(own: Role, part: Part, context: Context): Pairs {
  if (!part.has('sql_on')) throw new LeftOut("it has neither 'sql_on' nor 'foreign_key'", part.place)
  const expression = expressionOf(
    part,
    'sql_on',
    own,
    {
      column: (role, code) => quoted(role, physical(code, role, undefined)),
      member: ({ owner: role, member }) => {
        const { timeframe } = dimensionNamed(member, role)
        const isWhole =
          timeframe === undefined ||
          timeframe === 'raw' ||
          role.columns[columnOf(member, role, context)]?.['abstractType'] === 'date'
        if (!isWhole) throw new LeftOut(`'${role.name}.${member}' is no column of a join`, part.at('sql_on'))
        return quoted(role, columnOf(member, role, context))
      },
    },
    context,
    'boolean',
  )
  const { other, pairs } = equalColumns(expression, own, part.at('sql_on'))
  return { other: roleNamed(other, context), pairs }
}
