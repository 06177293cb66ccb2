/** The text of a semantic view as records. */
import {
  type Item,
  type Metric,
  type Part,
  Refused,
  type Relationship,
  type Table,
  type View,
} from '@grainline/importer-dbt/foreign'

export function viewOf(root: Part): View {
  const tables = root.parts('tables').map(tableOf)
  if (tables.length === 0) throw new Refused('The text declares no table.', root.place, 'Add tables.')
  return {
    name: plain(root.needed('name')),
    description: textOf(root, 'description'),
    tables,
    relationships: root.parts('relationships').map(relationshipOf),
    metrics: root.parts('metrics').map(metricOf),
    queries: root.parts('verified_queries').map((part) => ({
      name: part.text('name') ?? part.text('question') ?? '',
      question: part.text('question')?.trim(),
      sql: part.text('sql') ?? '',
      place: part.place,
    })),
  }
}

function tableOf(part: Part): Table {
  const base = part.part('base_table')
  if (!base) throw new Refused("'base_table' is missing.", part.place, 'Add base_table with database, schema and table.')
  const legacy = part.parts('measures')
  const facts = [...part.parts('facts'), ...legacy]
  const totals = legacy.flatMap(totalOf)
  return {
    ...namesOf(part),
    code: folded(base.needed('table')),
    schema: foldedText(base, 'schema'),
    database: foldedText(base, 'database'),
    description: textOf(part, 'description'),
    synonyms: part.texts('synonyms'),
    primaryKey: part.part('primary_key')?.texts('columns') ?? [],
    uniqueKeys: part.parts('unique_keys').map((key) => key.texts('columns')),
    facts: facts.map((each) => itemOf(each)),
    dimensions: part.parts('dimensions').map((each) => itemOf(each)),
    times: part.parts('time_dimensions').map((each) => itemOf(each)),
    metrics: [...totals, ...part.parts('metrics').map(metricOf)],
    filters: part.parts('filters').map((each) => itemOf(each)),
    place: part.place,
  }
}

/** A measure of the models before semantic views: a fact, and how it is aggregated unless a question says another way. */
function totalOf(part: Part): readonly Metric[] {
  const aggregation = part.text('default_aggregation')
  if (aggregation === undefined) return []
  const name = part.needed('name')
  const quoted = quotedName(name)
  const sql = /^count_distinct$/i.test(aggregation) ? `COUNT(DISTINCT ${quoted})` : `${aggregation}(${quoted})`
  if (!/^\w+$/.test(aggregation)) throw new Refused(`'${aggregation}' is no aggregation.`, part.at('default_aggregation'))
  return [{ ...itemOf(part), type: undefined, sql, sqlPlace: part.at('default_aggregation'), nonAdditive: [], relationships: [] }]
}

function itemOf(part: Part, hasType = true): Item {
  const access = part.text('access_modifier') ?? 'public_access'
  if (!['public_access', 'private_access'].includes(access))
    throw new Refused(`'${access}' is no access modifier.`, part.at('access_modifier'), 'Write public_access or private_access.')
  return {
    ...namesOf(part),
    sql: part.text('expr') ?? quotedName(part.needed('name')),
    type: hasType ? part.text('data_type') : undefined,
    description: textOf(part, 'description'),
    synonyms: part.texts('synonyms'),
    isPrivate: access === 'private_access',
    isUnique: part.text('unique') === 'true',
    place: part.place,
    sqlPlace: part.at('expr'),
  }
}

const namesOf = (part: Part): Pick<Item, 'name' | 'key'> => namedAs(part.needed('name'))

export const namedAs = (written: string): Pick<Item, 'name' | 'key'> => ({ name: plain(written), key: folded(written) })

/** A name alone is the column of this name. */
const quotedName = (name: string): string => (/^(\w+|".*")$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`)

const metricOf = (part: Part): Metric => ({
  ...itemOf(part, false),
  filter: filterOf(part.part('filter')),
  nonAdditive: part.parts('non_additive_dimensions').map((each) => ({
    table: each.text('table'),
    dimension: each.needed('dimension'),
    isDescending: /^desc/i.test(each.text('sort_direction') ?? ''),
    nulls: each.text('null_order') ?? each.text('nulls_position'),
    place: each.place,
  })),
  relationships: part.texts('using_relationships'),
})

const filterOf = (part: Part | undefined): Metric['filter'] => part && { sql: part.needed('expr'), place: part.at('expr') }

function relationshipOf(part: Part): Relationship {
  const left = part.needed('left_table')
  const right = part.needed('right_table')
  const columns = part.parts('relationship_columns').map((pair) => ({
    left: pair.needed('left_column'),
    right: pair.needed('right_column'),
    type: pair.text('type'),
    keys: Object.keys(pair.data).filter((key) => !PAIR.has(key)),
  }))
  const type = columns.find(({ type }) => type !== undefined && !/^(asof|equal)$/i.test(type))?.type
  const key = columns.flatMap(({ keys }) => keys)[0] ?? (part.has('expr') ? 'expr' : undefined)
  return {
    ...namedAs(part.text('name') ?? `${left} to ${right}`),
    pathName: part.has('name') ? plain(part.needed('name')) : undefined,
    left,
    right,
    columns: columns.map((pair) => ({ left: pair.left, right: pair.right, isAsOf: /^asof$/i.test(pair.type ?? '') })),
    cardinality: part.text('relationship_type'),
    joinType: part.text('join_type'),
    odd: type ?? key,
    place: part.place,
  }
}

const PAIR = new Set(['left_column', 'right_column', 'type'])

const textOf = (part: Part, key: string): string | undefined => part.text(key)?.trim() || undefined

const foldedText = (part: Part, key: string): string | undefined => {
  const text = part.text(key)
  return text === undefined ? undefined : folded(text)
}

/** A name without its quotes. */
export const plain = (name: string): string => /^"((?:[^"]|"")+)"$/.exec(name)?.[1]?.replaceAll('""', '"') ?? name

/** A name as the database stores it: in capitals, unless it is quoted. */
export function folded(name: string): string {
  const quoted = /^"((?:[^"]|"")+)"$/.exec(name)?.[1]
  return quoted === undefined ? name.toUpperCase() : quoted.replaceAll('""', '"')
}
