/** Joins of cubes → joins, written at the side of many. */
import { type Entry, LeftOut, type Part } from '@grainline/importer-dbt/foreign'
import { columnOf, physical } from './columns.js'
import { type Context, type CubeObject, objectNamed } from './context.js'
import { snakeOf } from './keys.js'
import { expressionOf } from './references.js'

export function joinsOf(context: Context): void {
  for (const object of context.objects.values())
    for (const [target, part] of object.cube.joins)
      context.draft.attemptNow(`The join of '${object.cube.name}' and '${target}'`, part.place, () =>
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
  const entry: Entry = { joinType, joinTo: to.cube.name, columnsFrom, columnsTo }
  if (isSaidTwice(entry, from, to)) return
  const isSecond =
    joinsFrom(from).some(({ joinTo }) => joinTo === to.cube.name) || joinsFrom(to).some(({ joinTo }) => joinTo === from.cube.name)
  const pathName = `${own.cube.name} to ${target}`
  const joins = [...joinsFrom(from), isSecond ? { ...entry, secondary: true, pathName } : entry]
  from.entry['joins'] = joins
  const path = ['dataObjects', from.cube.name, 'joins', joins.length - 1]
  draft.places.push({ path, place: part.place })
  if (isSecond)
    draft.lose('rewritten', `'${pathName}' is the second join of its cubes: a query takes it only by its name.`, part.place, {
      hint: 'Name it in usePathNames.',
      path,
    })
  if (!endsAtKey(columnsTo, to))
    draft.lose(
      'rewritten',
      `The join of '${own.cube.name}' and '${target}' ends at no primary key of '${to.cube.name}'.`,
      part.place,
      {
        hint: 'Declare the key, and run grainline verify.',
        path,
      },
    )
}

const joinsFrom = ({ entry }: CubeObject): readonly Entry[] => (entry['joins'] as readonly Entry[] | undefined) ?? []

/** Both cubes may declare their join. */
function isSaidTwice(entry: Entry, from: CubeObject, to: CubeObject): boolean {
  const keyOf = (columns: unknown, others: unknown): string =>
    (columns as string[])
      .map((column, at) => `${column}\0${(others as string[])[at]}`)
      .toSorted()
      .join('\n')
  const same = joinsFrom(from).find(
    (each) =>
      each['joinTo'] === to.cube.name &&
      keyOf(each['columnsFrom'], each['columnsTo']) === keyOf(entry['columnsFrom'], entry['columnsTo']),
  )
  const turned = joinsFrom(to).find(
    (each) =>
      each['joinTo'] === from.cube.name &&
      keyOf(each['columnsTo'], each['columnsFrom']) === keyOf(entry['columnsFrom'], entry['columnsTo']),
  )
  if (same && same['joinType'] !== entry['joinType']) throw new LeftOut('the other cube declares it with another relationship')
  if (turned && (turned['joinType'] !== 'one-to-one' || entry['joinType'] !== 'one-to-one'))
    throw new LeftOut('the other cube declares it with another relationship')
  return same !== undefined || turned !== undefined
}

interface Pair {
  readonly own: string
  readonly other: string
}

/** The columns that are equal: the condition is equalities and nothing else. */
function pairsOf(own: CubeObject, other: CubeObject, part: Part, context: Context): readonly Pair[] {
  const quoted = (object: CubeObject, column: string) => `{[${object.cube.name}].[${column}]}`
  const expression = expressionOf(
    part.needed('sql'),
    own,
    {
      column: (object, code) => quoted(object, physical(code, object, undefined)),
      member: ({ object, member, grain }) => {
        if (grain !== undefined || object.cube.measures.has(member)) throw new LeftOut(`'${member}' is no column of a join`)
        return quoted(object, columnOf(member, object, context))
      },
    },
    context,
    'boolean',
  )
  const pairs: Pair[] = []
  const rest = expression.replaceAll(EQUALITY, (_whole, left: string, one: string, right: string, two: string) => {
    if (left === own.cube.name && right === other.cube.name) pairs.push({ own: one, other: two })
    else if (right === own.cube.name && left === other.cube.name) pairs.push({ own: two, other: one })
    else throw new LeftOut(`it compares '${left}' and '${right}'`, part.at('sql'))
    return '='
  })
  if (!/^(=|\(=( AND =)*\))$/.test(rest))
    throw new LeftOut(
      'its condition is more than equal columns',
      part.at('sql'),
      'Add the join by hand: a join over time is asOf or during.',
    )
  for (const pair of pairs) sameType(own, pair.own, other, pair.other)
  return pairs
}

const EQUALITY = /\(\{\[([^[\]]+)\]\.\[([^[\]]+)\]\} = \{\[([^[\]]+)\]\.\[([^[\]]+)\]\}\)/g

/** A column has the type of the column it is compared with: a number beside a whole one is whole. */
function sameType(own: CubeObject, one: string, other: CubeObject, two: string): void {
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

function endsAtKey(columns: readonly string[], { columns: all }: CubeObject): boolean {
  const key = Object.entries(all).flatMap(([name, { primaryKey }]) => (primaryKey === true ? [name] : []))
  return key.length > 0 && key.every((each) => columns.includes(each))
}
