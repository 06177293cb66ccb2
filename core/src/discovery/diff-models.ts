import { entryOf } from '../invariant.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { type Change, DIFF_SECTIONS, type DiffSection, type ModelDiff } from './model-diff.js'
import { touchedBy } from './touched-by.js'

/** The changes from one model to another, and the fields that they affect. It uses no database. */
export function diffModels(before: SemanticModel, after: SemanticModel): ModelDiff {
  const changes = DIFF_SECTIONS.flatMap((section) => diffSection(section, entriesOf(before, section), entriesOf(after, section)))
  return { before: before.contentHash, after: after.contentHash, changes, touched: touchedBy(changes, before, after) }
}

type Entries = ReadonlyMap<string, Readonly<Record<string, unknown>>>

/** Properties of the name, the display or the search of a field, but not of its value. */
const COSMETIC: ReadonlySet<string> = new Set([
  ...['description', 'synonyms', 'owner', 'format', 'status', 'use', 'comment', 'hidden', 'customExtensions'],
  ...['intent_tags', 'intentTags', 'countLabel', 'hierarchy', 'defaultLocale'],
])

function diffSection(section: DiffSection, before: Entries, after: Entries): Change[] {
  const removed = [...before.keys()].filter((name) => !after.has(name))
  const added = [...after.keys()].filter((name) => !before.has(name))
  const renamed = new Map<string, string>()
  for (const name of added) {
    const was = removed.find((old) => ![...renamed.values()].includes(old) && same(before.get(old), after.get(name)))
    if (was !== undefined) renamed.set(name, was)
  }
  const taken = new Set(renamed.values())
  return [
    ...removed.filter((name) => !taken.has(name)).map((name): Change => ({ kind: 'removed', section, name, cosmetic: false })),
    ...added.map((name): Change => {
      const was = renamed.get(name)
      return was === undefined
        ? { kind: 'added', section, name, cosmetic: false }
        : { kind: 'renamed', section, name, was, cosmetic: false }
    }),
    ...[...after.keys()]
      .filter((name) => before.has(name))
      .flatMap((name) => changed(section, name, entryOf(before, name), entryOf(after, name))),
  ]
}

function changed(section: DiffSection, name: string, before: object, after: object): Change[] {
  const [a, b] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  const keys = [...new Set([...a.keys(), ...b.keys()])].filter((key) => !same(a.get(key), b.get(key)))
  if (keys.length === 0) return []
  const shown = keys.map((key) => ({ key, before: spell(a.get(key)), after: spell(b.get(key)) }))
  return [{ kind: 'changed', section, name, keys: shown, cosmetic: keys.every((key) => COSMETIC.has(key)) }]
}

const spell = (value: unknown): string | null => (value === undefined ? null : canonical(value))
const same = (a: unknown, b: unknown): boolean => spell(a) === spell(b)

/** JSON with its keys in order. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )

type Loose = Readonly<Record<string, unknown>>
const record = (value: unknown): Loose => (typeof value === 'object' && value !== null ? (value as Loose) : {})
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function entriesOf({ document }: SemanticModel, section: DiffSection): Entries {
  const objects = Object.entries(record(document.dataObjects))
  switch (section) {
    case 'settings':
      return new Map([['settings', record(document.settings)]])
    case 'dataObjects':
      return new Map(objects.map(([name, object]) => [name, withoutParts(record(object))] as const))
    case 'columns':
      return new Map(
        objects.flatMap(([name, object]) =>
          Object.entries(record(record(object)['columns'])).map(
            ([column, entry]) => [`${name}.${column}`, record(entry)] as const,
          ),
        ),
      )
    case 'joins':
      return new Map(
        objects.flatMap(([name, object]) =>
          list(record(object)['joins']).map((join) => [joinName(name, record(join)), record(join)] as const),
        ),
      )
    case 'filters':
      return new Map(list(document.filters).map((filter) => [filterName(record(filter)), record(filter)]))
    case 'examples':
    case 'tests':
      return new Map(list(document[section]).map((entry) => [String(record(entry)['name']), record(entry)]))
    default:
      return new Map(Object.entries(record(document[section])).map(([name, entry]) => [name, record(entry)]))
  }
}

/** Columns and joins are compared separately. */
const withoutParts = (object: Loose): Loose =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== 'columns' && key !== 'joins'))

const joinName = (from: string, { joinTo, pathName }: Loose): string =>
  `${from} → ${String(joinTo)}${pathName === undefined ? '' : ` (${String(pathName)})`}`

const filterName = ({ dataObject, column, operator }: Loose): string =>
  `${String(dataObject)}.${String(column)} ${String(operator)}`
