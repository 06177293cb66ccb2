/** Joins of explores → joins, written at the side of many. */
import { type Entry, LeftOut, type Part } from '@grainline/importer-dbt/foreign'
import { columnOf, dimensionNamed, physical } from './columns.js'
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
  const ends = pairs.map((pair) => (relationship.isTurned ? [pair.own, pair.other] : [pair.other, pair.own]))
  const entry: Entry = {
    ...{ joinType: relationship.joinType, joinTo: to.name },
    columnsFrom: ends.map(([one]) => one),
    columnsTo: ends.map(([, one]) => one),
  }
  for (const pair of pairs) sameType(own, pair.own, other, pair.other)
  add(explore, entry, from, to, part, context)
  return other
}

function add(explore: string, entry: Entry, from: Role, to: Role, part: Part, { draft }: Context): void {
  const [there, back] = [
    joinsFrom(from).filter(({ joinTo }) => joinTo === to.name),
    joinsFrom(to).filter(({ joinTo }) => joinTo === from.name),
  ]
  const same = there.find(
    (each) => keyOf(each['columnsFrom'], each['columnsTo']) === keyOf(entry['columnsFrom'], entry['columnsTo']),
  )
  const turned = back.find(
    (each) => keyOf(each['columnsTo'], each['columnsFrom']) === keyOf(entry['columnsFrom'], entry['columnsTo']),
  )
  const isSymmetric = entry['joinType'] !== 'many-to-one'
  if (same?.['joinType'] === entry['joinType'] || (isSymmetric && turned?.['joinType'] === entry['joinType'])) return
  if (same || turned) throw new LeftOut('another explore declares it with another relationship', part.at('relationship'))
  if (there.length + back.length > 0)
    throw new LeftOut(
      'another explore joins these views by other columns',
      part.place,
      "Give this join a name of its own, with 'from'.",
    )
  const joins = [...joinsFrom(from), entry]
  from.entry['joins'] = joins
  const path = ['dataObjects', from.name, 'joins', joins.length - 1]
  draft.places.push({ path, place: part.place })
  if (entry['joinType'] === 'many-to-many' || endsAtKey(entry['columnsTo'], to)) return
  draft.lose(
    'rewritten',
    `The join of '${part.text('name')}' in '${explore}' ends at no primary key of '${to.name}'.`,
    part.place,
    {
      hint: 'Declare the key, and run grainline verify.',
      path,
    },
  )
}

const joinsFrom = ({ entry }: Role): readonly Entry[] => (entry['joins'] as readonly Entry[] | undefined) ?? []

const keyOf = (columns: unknown, others: unknown): string =>
  (columns as readonly string[])
    .map((column, at) => `${column}\0${(others as readonly string[])[at]}`)
    .toSorted()
    .join('\n')

interface Pairs {
  readonly other: Role
  readonly pairs: readonly { readonly own: string; readonly other: string }[]
}

/** The field of the first view that contains the key of this one. */
function byForeignKey(base: Role, own: Role, part: Part, context: Context): Pairs {
  const [first = '', second] = (trimmed(part, 'foreign_key') ?? '').split('.')
  const other = second === undefined ? base : roleNamed(first, context)
  const key = [...own.view.dimensions].find(([, each]) => isPrimary(each.part))?.[0]
  if (key === undefined) throw new LeftOut(`'${own.name}' has no primary key`, part.at('foreign_key'))
  return { other, pairs: [{ own: columnOf(key, own, context), other: columnOf(second ?? first, other, context) }] }
}

/** The columns that are equal: the condition is equalities and nothing else. */
function byCondition(own: Role, part: Part, context: Context): Pairs {
  if (!part.has('sql_on')) throw new LeftOut("it has neither 'sql_on' nor 'foreign_key'", part.place)
  const quoted = (role: Role, column: string) => `{[${role.name}].[${column}]}`
  const expression = expressionOf(
    part,
    'sql_on',
    own,
    {
      column: (role, code) => quoted(role, physical(code, role, undefined)),
      member: (role, member) => {
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
  const pairs: { own: string; other: string }[] = []
  const others = new Set<string>()
  const rest = expression.replaceAll(EQUALITY, (_whole, left: string, one: string, right: string, two: string) => {
    if (left === right || (left !== own.name && right !== own.name))
      throw new LeftOut(`it compares '${left}' and '${right}'`, part.at('sql_on'))
    pairs.push(left === own.name ? { own: one, other: two } : { own: two, other: one })
    others.add(left === own.name ? right : left)
    return '='
  })
  const [other, more] = others
  if (other === undefined || more !== undefined || !/^(=|\(=( AND =)*\))$/.test(rest))
    throw new LeftOut(
      more === undefined ? 'its condition is more than equal columns' : 'its condition is on several views',
      part.at('sql_on'),
      'Add the join by hand: a join over time is asOf or during.',
    )
  return { other: roleNamed(other, context), pairs }
}

const EQUALITY = /\(\{\[([^[\]]+)\]\.\[([^[\]]+)\]\} = \{\[([^[\]]+)\]\.\[([^[\]]+)\]\}\)/g

/** A column has the type of the column it is compared with: a number beside a whole one is whole. */
function sameType(own: Role, one: string, other: Role, two: string): void {
  const [left, right] = [own.columns[one], other.columns[two]]
  if (left?.['code'] === undefined || right?.['code'] === undefined) return
  const types = [left['abstractType'], right['abstractType']]
  const isNumber = (type: unknown) => type === undefined || type === 'float' || type === 'int'
  if (types.includes('int') && types.every(isNumber)) {
    left['abstractType'] = 'int'
    right['abstractType'] = 'int'
  } else {
    left['abstractType'] ??= types[1]
    right['abstractType'] ??= types[0]
  }
}

function endsAtKey(columns: unknown, { columns: all }: Role): boolean {
  const key = Object.entries(all).flatMap(([name, { primaryKey }]) => (primaryKey === true ? [name] : []))
  return key.length > 0 && key.every((each) => (columns as readonly string[]).includes(each))
}
