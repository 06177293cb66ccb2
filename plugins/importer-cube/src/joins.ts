/** Joins of cubes → joins, written at the side of many. */
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
import { columnOf } from './columns.js'
import { type Context, type CubeObject, objectNamed } from './context.js'
import { snakeOf } from './keys.js'
import { expressionOf } from './references.js'

export function joinsOf(context: Context): void {
  for (const object of context.owners.values())
    for (const [target, part] of object.cube.joins)
      context.draft.attemptNow(`The join of '${object.name}' and '${target}'`, part.place, () =>
        join(object, target, part, context),
      )
}

const RELATIONSHIPS: Readonly<Record<string, { readonly joinType: string; readonly isTurned: boolean }>> = {
  many_to_one: { joinType: 'many-to-one', isTurned: false },
  belongs_to: { joinType: 'many-to-one', isTurned: false },
  one_to_many: { joinType: 'many-to-one', isTurned: true },
  has_many: { joinType: 'many-to-one', isTurned: true },
  one_to_one: { joinType: 'one-to-one', isTurned: false },
  has_one: { joinType: 'one-to-one', isTurned: false },
}

function join(own: CubeObject, target: string, part: Part, context: Context): void {
  const { draft } = context
  const other = objectNamed(target, context)
  const written = snakeOf(part.needed('relationship'))
  const relationship = Object.hasOwn(RELATIONSHIPS, written) ? RELATIONSHIPS[written] : undefined
  if (!relationship) throw new LeftOut(`'${written}' is no relationship of cubes`, part.at('relationship'))
  if (other === own)
    throw new LeftOut('a cube has no join to itself in the model', part.place, 'Declare a second cube for the role.')
  const pairs = pairsOf(own, other, part, context)
  const { joinType, isTurned } = relationship
  const [from, to] = isTurned ? [other, own] : [own, other]
  const [columnsOwn, columnsOther] = [pairs.map((pair) => pair.own), pairs.map((pair) => pair.other)]
  const [columnsFrom, columnsTo] = isTurned ? [columnsOther, columnsOwn] : [columnsOwn, columnsOther]
  const entry: JoinEntry = { joinType, joinTo: to.name, columnsFrom, columnsTo }
  if (isSaidTwice(entry, from, to)) return
  const isSecond =
    joinsFrom(from).some(({ joinTo }) => joinTo === to.name) || joinsFrom(to).some(({ joinTo }) => joinTo === from.name)
  const pathName = `${own.name} to ${target}`
  const joins = [...joinsFrom(from), isSecond ? { ...entry, secondary: true, pathName } : entry]
  from.entry['joins'] = joins
  const path = ['dataObjects', from.name, 'joins', joins.length - 1]
  draft.places.push({ path, place: part.place })
  if (isSecond)
    draft.lose('rewritten', `'${pathName}' is the second join of its cubes: a query takes it only by its name.`, part.place, {
      hint: 'Name it in usePathNames.',
      path,
    })
  if (!endsAtKey(columnsTo, to))
    draft.assumeKey(`The join of '${own.name}' and '${target}' ends at no primary key of '${to.name}'.`, part.place, path)
}

/** Both cubes may declare their join. */
function isSaidTwice(entry: JoinEntry, from: CubeObject, to: CubeObject): boolean {
  const { same, turned } = sameJoin(entry, from, to)
  const isOneToOne = turned?.joinType === 'one-to-one' && entry.joinType === 'one-to-one'
  if ((same && same.joinType !== entry.joinType) || (turned && !isOneToOne))
    throw new LeftOut('the other cube declares it with another relationship')
  return same !== undefined || turned !== undefined
}

/** The columns that are equal. */
function pairsOf(own: CubeObject, other: CubeObject, part: Part, context: Context): readonly ColumnPair[] {
  const condition = expressionOf(
    part,
    own,
    {
      column: (object, code) => quoted(object, physical(code, object, undefined)),
      member: ({ owner, member, grain }) => {
        if (grain !== undefined || owner.measures.has(member)) throw new LeftOut(`'${member}' is no column of a join`)
        return quoted(owner, columnOf(member, owner, context))
      },
    },
    context,
    'boolean',
  )
  const found = equalColumns(condition, own, part.at('sql'))
  if (found.other !== other.name) throw new LeftOut(`it compares '${own.name}' and '${found.other}'`, part.at('sql'))
  for (const pair of found.pairs) sameType(own, pair.own, other, pair.other)
  return found.pairs
}
