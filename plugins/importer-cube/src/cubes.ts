/** The cubes and views of a text, with what they inherit. */
import { type Part, type Place, Refused } from '@grainline/importer-dbt/foreign'
import { isOn, keyIn, publicIn, snakeOf, textIn } from './keys.js'

export interface Cube {
  readonly name: string
  readonly place: Place
  /** The table: as it is written, or the query in place of it. */
  readonly table: string | undefined
  readonly query: string | undefined
  readonly sourcePlace: Place
  readonly description: string | undefined
  readonly title: string | undefined
  readonly isPublic: boolean
  readonly dimensions: Members
  readonly measures: Members
  readonly segments: Members
  readonly joins: Members
  readonly hierarchies: Members
}

/** Members by their names, in the order of the text. */
export type Members = ReadonlyMap<string, Part>

export interface View {
  readonly name: string
  readonly part: Part
  /** The cubes of the view that it extends, and its own. */
  readonly cubes: readonly Part[]
}

export interface CubeModel {
  readonly cubes: ReadonlyMap<string, Cube>
  readonly views: readonly View[]
}

export function cubesOf(roots: readonly Part[]): CubeModel {
  const parts = byName(roots.flatMap((root) => root.parts('cubes')))
  if (parts.size === 0) throw new Refused('The text declares no cube.', roots[0]?.place ?? { line: 1, column: 1 }, 'Add cubes.')
  const views = byName(roots.flatMap((root) => root.parts('views')))
  oneSource([...parts.values()])
  return {
    cubes: new Map([...parts].map(([name, part]) => [name, cubeOf(name, lineage(part, parts))])),
    views: [...views].map(([name, part]) => ({
      name,
      part,
      cubes: lineage(part, views)
        .toReversed()
        .flatMap((each) => each.parts('cubes')),
    })),
  }
}

function byName(parts: readonly Part[]): Map<string, Part> {
  const found = new Map<string, Part>()
  for (const part of parts) {
    const name = identifier(part)
    if (found.has(name)) throw new Refused(`There are two items with the name '${name}'.`, part.place, 'Rename one of them.')
    found.set(name, part)
  }
  return found
}

/** A name is part of other names here, with a point between. */
function identifier(part: Part): string {
  const name = part.needed('name')
  if (!/^[_a-z]\w{0,127}$/i.test(name) || name === '__proto__')
    throw new Refused(`'${name}' is no name of Cube.`, part.at('name'), 'Write letters, digits and underscores.')
  return name
}

/** A cube, that which it extends, and so on. */
function lineage(part: Part, all: ReadonlyMap<string, Part>): readonly Part[] {
  const found = [part]
  for (let last: Part = part; last.has('extends'); ) {
    const name = last.needed('extends')
    const parent = all.get(/^\{(\w+)\}$/.exec(name)?.[1] ?? name)
    if (!parent) throw new Refused(`There is no '${name}' to extend.`, last.at('extends'))
    if (found.includes(parent)) throw new Refused(`'${name}' extends itself.`, last.at('extends'))
    found.push(parent)
    last = parent
  }
  return found
}

function cubeOf(name: string, parts: readonly Part[]): Cube {
  const own = parts[0] as Part
  const inherited = (key: string) => parts.map((part) => textIn(part, key)).find((text) => text !== undefined)
  const isSource = (part: Part) => part.has('sql') || part.has(keyIn(part, 'sql_table'))
  const source = parts.find(isSource) ?? own
  return {
    ...{ name, place: own.place, table: textIn(source, 'sql_table'), query: source.text('sql') },
    sourcePlace: source.at(source.has('sql') ? 'sql' : keyIn(source, 'sql_table')),
    ...{ description: inherited('description'), title: own.text('title'), isPublic: publicIn(own) ?? true },
    ...{ dimensions: membersOf(parts, 'dimensions'), measures: membersOf(parts, 'measures') },
    ...{ segments: membersOf(parts, 'segments'), joins: membersOf(parts, 'joins'), hierarchies: membersOf(parts, 'hierarchies') },
  }
}

/** Members of the oldest ancestor first; one of the same name takes the place of an inherited one. */
function membersOf(parts: readonly Part[], key: string): Members {
  return new Map(parts.toReversed().flatMap((part) => [...byName(part.parts(key))]))
}

/** A model of this server has one connection. */
function oneSource(parts: readonly Part[]): void {
  const named = parts.flatMap((part) => {
    const key = keyIn(part, 'data_source')
    const name = part.text(key)
    return name === undefined ? [] : [{ name, place: part.at(key) }]
  })
  const isNamed = named.length === parts.length
  const first = isNamed ? named[0]?.name : 'default'
  const other = named.find(({ name }) => name !== first)
  if (other)
    throw new Refused(
      `The data source '${other.name}' is not that of all cubes: a model is one connection.`,
      other.place,
      'Convert the cubes of each data source into a separate model.',
    )
}

export const isPrimary = (part: Part): boolean => isOn(part, 'primary_key')

export const typeOf = (part: Part): string => snakeOf(part.needed('type'))
