/** Generated models with everything that a model can have: every kind of the oracle, and notes, units, formats, rules, tests and rollups beside. */
import type { SemanticModel } from '@grainline/core'
import { parseModelSync } from '../../core/src/model/load-model.js'
import { generatedModelWith } from '../oracle/generate/case.js'
import { KINDS_OF_DATA, LATER } from '../oracle/generate/later.js'
import { type Random, randomFrom } from '../oracle/generate/random.js'

export type Entry = Record<string, unknown>

/** A table of ancestors is written in another way for the oracle. */
const KINDS = LATER.filter((kind) => !KINDS_OF_DATA.has(kind) && kind !== 'trees')

export function wideModel(seed: number): SemanticModel {
  const plain = structuredClone(generatedModelWith(seed, KINDS)) as unknown as Entry
  delete plain['filters']
  const random = randomFrom(seed)
  const document = fitting(
    plain,
    ADDED.filter(() => random.chance(0.4)),
    random,
  )
  const { model, errors } = parseModelSync({ json: document })
  if (!model) throw new Error(`seed ${seed}: ${JSON.stringify(errors)}`)
  return model
}

/** The document with all additions that fit it: halves of them are tried apart. */
function fitting(document: Entry, additions: readonly Add[], random: Random): Entry {
  if (additions.length === 0) return document
  const more = structuredClone(document)
  for (const add of additions) add(more, random)
  if (parseModelSync({ json: more }).model) return more
  if (additions.length === 1) return document
  const half = Math.ceil(additions.length / 2)
  return fitting(fitting(document, additions.slice(0, half), random), additions.slice(half), random)
}

type Add = (document: Entry, random: Random) => void

const entriesOf = (document: Entry, kind: string): readonly [string, Entry][] =>
  Object.entries((document[kind] ?? {}) as Record<string, Entry>)

const columnsOf = (document: Entry): readonly [string, Entry][] =>
  entriesOf(document, 'dataObjects').flatMap(([, object]) => entriesOf(object, 'columns'))

/** Sets a key of some of the items of a kind. */
const some =
  (kind: string, key: string, value: unknown): Add =>
  (document, random) => {
    for (const [, entry] of entriesOf(document, kind)) if (random.chance(0.3)) entry[key] = value
  }

const someColumns =
  (key: string, value: unknown, fits: (column: Entry) => boolean = () => true): Add =>
  (document, random) => {
    for (const [, column] of columnsOf(document)) if (random.chance(0.2) && fits(column)) column[key] = value
  }

const isNumber = ({ abstractType, sqlType }: Entry): boolean =>
  abstractType === 'int' || abstractType === 'float' || sqlType !== undefined

const whole =
  (key: string, value: unknown): Add =>
  (document) => {
    document[key] = value
  }

const setting =
  (key: string, value: unknown): Add =>
  (document) => {
    document['settings'] = { ...(document['settings'] as Entry | undefined), [key]: value }
  }

/** A part that names fields of the model. */
const about =
  (
    key: string,
    part: (names: { readonly dimension: string; readonly measure: string; readonly object: string }) => unknown,
  ): Add =>
  (document, random) => {
    const name = (kind: string) => random.pick(Object.keys((document[kind] ?? {}) as Entry))
    document[key] = part({ dimension: name('dimensions'), measure: name('measures'), object: name('dataObjects') })
  }

const joinsOf = (document: Entry): readonly Entry[] =>
  entriesOf(document, 'dataObjects').flatMap(([, { joins }]) => (joins ?? []) as readonly Entry[])

const ADDED: readonly Add[] = [
  ...[whole('owner', 'Ada'), whole('synonyms', ['store']), whole('description', 'Orders'), whole('connection', 'main')],
  ...[whole('exposeCounts', false), whole('countLabelPattern', 'Rows of {object}')],
  ...[whole('decisions', [{ question: 'Which day?', answer: 'The day of the order', by: 'Ada', on: '2026-11-27' }])],
  ...[whole('customExtensions', [{ vendor: 'x', data: '{}' }])],
  ...[
    setting('defaultLocale', 'de'),
    setting('weekStart', 'sunday'),
    setting('strictFilters', true),
    setting('strictJoins', true),
  ],
  ...[
    setting('defaultTimezone', 'Europe/Paris'),
    setting('queryTimezone', 'America/Lima'),
    setting('strictUnits', true),
    setting('assumedJoins', true),
  ],
  ...[setting('defaultNumericDataType', 'decimal(18, 2)'), setting('defaultDialect', 'duckdb')],
  ...['dataObjects', 'dimensions', 'measures', 'metrics', 'segments', 'views', 'parameters'].flatMap((kind) => [
    ...[some(kind, 'description', 'Who buys'), some(kind, 'synonyms', ['area']), some(kind, 'owner', 'Ada')],
    ...[some(kind, 'customExtensions', [{ vendor: 'x', data: '{}' }])],
  ]),
  ...['dimensions', 'measures', 'metrics'].flatMap((kind) => [
    ...[some(kind, 'format', '0.00'), some(kind, 'status', 'certified'), some(kind, 'hidden', true)],
  ]),
  ...[some('measures', 'unit', 'EUR'), some('measures', 'dataType', 'decimal(18, 2)'), some('measures', 'defaultValue', 0)],
  ...[
    some('dataObjects', 'comment', 'A table'),
    some('dataObjects', 'countable', false),
    some('dataObjects', 'countLabel', 'Rows'),
  ],
  ...[some('dataObjects', 'refresh', { mode: 'static' }), some('dataObjects', 'schema', 'main')],
  ...[
    someColumns('description', 'A column'),
    someColumns('synonyms', ['part']),
    someColumns('comment', 'x'),
    someColumns('owner', 'Ada'),
  ],
  ...[someColumns('unit', 'EUR', isNumber), someColumns('numClass', 'non-additive', isNumber)],
  (document, random) => {
    const names = Object.keys((document['dimensions'] ?? {}) as Entry)
    for (const [, entry] of entriesOf(document, 'dimensions')) if (random.chance(0.2)) entry['hierarchy'] = [random.pick(names)]
  },
  (document, random) => {
    for (const join of joinsOf(document)) if (random.chance(0.3)) join['description'] = 'Leads there'
  },
  (document, random) => {
    for (const join of joinsOf(document)) if (random.chance(0.3)) join['foreignKey'] = true
  },
  about('access', ({ measure }) => ({ fields: [{ hide: [measure], unless: ['chief'] }] })),
  about('examples', ({ dimension, measure }) => [
    { name: 'one', description: 'An example', query: { select: { dimensions: [dimension], measures: [measure] } } },
  ]),
  about('tests', ({ measure }) => [{ name: 'one', query: { select: { measures: [measure] } }, expect: { row_count: 1 } }]),
  about('rollups', ({ dimension, measure, object }) => ({
    Daily: { dataObject: object, dimensions: [dimension], measures: [measure], description: 'Each day' },
  })),
  about('views', ({ dimension, measure }) => ({ Shop: { fields: [dimension, measure], description: 'For all' } })),
]
