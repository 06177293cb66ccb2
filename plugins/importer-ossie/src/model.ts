/** The text of a semantic model as records. */
import type { Loss } from '@grainline/core'
import {
  type Item,
  type Metric,
  type Part,
  Refused,
  type Relationship,
  type Table,
  type View,
} from '@grainline/importer-dbt/foreign'
import { DATATYPES, FORMAT } from './format.js'

/** A model, and what it says that the records do not. */
export interface Model {
  readonly view: View
  readonly losses: readonly Loss[]
  /** The mapping of the semantic model. */
  readonly part: Part
}

const VERSIONS = ['0.2.0.dev0', '0.1.1']

export function modelOf(root: Part): Model {
  if (root.has('ontology'))
    throw new Refused(
      'The text is an ontology, and no semantic model.',
      root.at('ontology'),
      'Convert the semantic model that it maps to.',
    )
  return new Reader().read(modelPart(root))
}

/** The model of a text; drafts of the compliance suite have no version and no list around it. */
function modelPart(root: Part): Part {
  if (root.has('datasets')) return root
  onlyKeys(root, 'the text', ['version', 'semantic_model'])
  const version = root.needed('version')
  if (!VERSIONS.includes(version))
    throw new Refused(`The version '${version}' is not known here.`, root.at('version'), `Known are ${VERSIONS.join(' and ')}.`)
  const [model, other] = root.parts('semantic_model')
  if (!model) throw new Refused('The text declares no semantic model.', root.place, 'Add an entry to semantic_model.')
  if (other) throw new Refused('The text has more than one semantic model.', other.place, 'Write each in a separate file.')
  return model
}

const NOTES = ['description', 'ai_context', 'custom_extensions']

/** The specification allows no other keys: what they say is not known. */
function onlyKeys(part: Part, what: string, keys: readonly string[]): void {
  const unknown = Object.keys(part.data).find((key) => !keys.includes(key))
  if (unknown !== undefined)
    throw new Refused(
      `'${unknown}' is no key of ${what}.`,
      part.at(unknown),
      'Write what another tool says in custom_extensions.',
    )
}

class Reader {
  readonly #losses: Loss[] = []

  read(part: Part): Model {
    onlyKeys(part, 'a semantic model', ['name', 'datasets', 'relationships', 'metrics', 'version', ...NOTES])
    const tables = part.parts('datasets').map((each) => this.#dataset(each))
    if (tables.length === 0) throw new Refused('The text declares no dataset.', part.place, 'Add datasets.')
    const view: View = {
      name: part.needed('name'),
      description: part.text('description'),
      tables,
      relationships: part.parts('relationships').map(relationshipOf),
      metrics: part.parts('metrics').map((each) => this.#metric(each)),
      queries: [],
    }
    synonymsOf(part)
    part.text('version')
    return { view, losses: this.#losses, part }
  }

  #dataset(part: Part): Table {
    onlyKeys(part, 'a dataset', ['name', 'source', 'primary_key', 'unique_keys', 'fields', ...NOTES])
    const name = part.needed('name')
    const path = /^[\w$]+(\.[\w$]+){0,2}$/.exec(part.needed('source'))?.[0]
    if (path === undefined)
      throw new Refused(
        `The source of '${name}' is a query, and no table.`,
        part.at('source'),
        'Create a view with this query in the database.',
      )
    const [code = '', schema, database] = path.split('.').toReversed()
    const fields = part.parts('fields').map((field) => ({ field, item: this.#field(field) }))
    const of = (isDimension: boolean) =>
      fields.flatMap(({ field, item }) => (field.has('dimension') === isDimension ? [item] : []))
    return {
      ...{
        name,
        key: FORMAT.key(name),
        code,
        schema,
        database,
        description: part.text('description'),
        synonyms: synonymsOf(part),
      },
      ...{ primaryKey: part.texts('primary_key'), uniqueKeys: keysOf(part) },
      ...{ facts: of(false), dimensions: of(true), times: [], metrics: [], filters: [], place: part.place },
    }
  }

  #field(part: Part): Item {
    onlyKeys(part, 'a field', ['name', 'expression', 'dimension', 'label', 'datatype', ...NOTES])
    const dimension = part.part('dimension')
    if (dimension) {
      onlyKeys(dimension, 'a dimension', ['is_time'])
      const isTime = dimension.text('is_time') === 'true'
      if (isTime && !/^(date|time)/i.test(part.text('datatype') ?? ''))
        this.#losses.push({
          kind: 'inert',
          message: `'is_time' of '${part.needed('name')}' is not in the model: a time is known by its type.`,
          place: dimension.at('is_time'),
        })
    }
    return this.#item(part)
  }

  #metric(part: Part): Metric {
    onlyKeys(part, 'a metric', ['name', 'expression', 'datatype', ...NOTES])
    return { ...this.#item(part, false), nonAdditive: [], relationships: [] }
  }

  /** The type of a metric follows from what it aggregates. */
  #item(part: Part, hasType = true): Item {
    const name = part.needed('name')
    const type = hasType ? part.text('datatype') : undefined
    if (type !== undefined && !DATATYPES.has(type))
      throw new Refused(`'${type}' is no datatype.`, part.at('datatype'), `Write one of ${[...DATATYPES].join(', ')}.`)
    return {
      ...{ name, key: FORMAT.key(name), type, ...this.#expression(part, name) },
      ...{
        description: part.text('description'),
        synonyms: synonymsOf(part),
        isPrivate: false,
        isUnique: false,
        place: part.place,
      },
    }
  }

  /** The expression in a dialect that the grammar reads. */
  #expression(part: Part, name: string): Pick<Item, 'sql' | 'sqlPlace'> {
    const { expression } = part.data
    if (typeof expression === 'string') return { sql: part.needed('expression'), sqlPlace: part.at('expression') }
    const all = part.part('expression')
    if (!all) throw new Refused(`'expression' of '${name}' is missing.`, part.place, 'Add expression.')
    onlyKeys(all, 'an expression', ['dialects'])
    const written = all.parts('dialects').map((each) => {
      onlyKeys(each, 'an expression', ['dialect', 'expression'])
      return { dialect: each.needed('dialect'), sql: each.needed('expression'), place: each.at('expression') }
    })
    const chosen = READABLE.flatMap((dialect) => written.filter((each) => each.dialect === dialect))[0] ?? written[0]
    if (!chosen) throw new Refused(`'${name}' has no expression.`, all.place, 'Add an expression with the dialect ANSI_SQL.')
    for (const { dialect, place } of written.filter((each) => each !== chosen))
      this.#lose(
        'inert',
        `The expression of '${name}' in ${dialect} is not in the model: it has that in ${chosen.dialect}.`,
        place,
      )
    if (chosen.dialect !== 'ANSI_SQL' && READABLE.includes(chosen.dialect))
      this.#lose('rewritten', `The expression of '${name}' in ${chosen.dialect} is read as standard SQL.`, chosen.place)
    // What is no SQL is refused where its text is read.
    return { sql: READABLE.includes(chosen.dialect) ? chosen.sql : `${chosen.dialect}()`, sqlPlace: chosen.place }
  }

  #lose(kind: Loss['kind'], message: string, place: Loss['place']): void {
    this.#losses.push({ kind, message, ...(place && { place }) })
  }
}

const READABLE = ['ANSI_SQL', 'SNOWFLAKE', 'DATABRICKS', 'BIGQUERY']

/** Synonyms of a context for agents. The rest of the context has a line for each key. */
function synonymsOf(part: Part): readonly string[] {
  const context = part.data['ai_context']
  return typeof context === 'object' && context !== null && !Array.isArray(context)
    ? (part.part('ai_context')?.texts('synonyms') ?? [])
    : []
}

function keysOf(part: Part): readonly (readonly string[])[] {
  const keys = part.value('unique_keys') ?? []
  if (!Array.isArray(keys)) throw new Refused("'unique_keys' is not a list.", part.at('unique_keys'))
  return keys.map((key: unknown) => {
    if (!Array.isArray(key) || !key.every((each) => typeof each === 'string'))
      throw new Refused("An entry of 'unique_keys' is not a list of names.", part.at('unique_keys'))
    return key
  })
}

function relationshipOf(part: Part): Relationship {
  onlyKeys(part, 'a relationship', ['name', 'from', 'to', 'from_columns', 'to_columns', ...NOTES])
  const name = part.needed('name')
  const [from, to] = [part.texts('from_columns'), part.texts('to_columns')]
  if (from.length === 0 || from.length !== to.length)
    throw new Refused(`'${name}' has not as many columns on both sides.`, part.at('from_columns'))
  return {
    ...{ name, pathName: name, key: FORMAT.key(name), left: part.needed('from'), right: part.needed('to') },
    columns: from.map((left, at) => ({ left, right: to[at] ?? '', isAsOf: false })),
    ...{ cardinality: undefined, joinType: undefined, odd: undefined, place: part.place },
  }
}
