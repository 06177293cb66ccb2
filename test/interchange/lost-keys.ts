/** Keys of a model that an export loses in silence: a model without the key has the same text, and the same list. */
import type { Exporter, SemanticModel } from '@grainline/core'
import { stringify } from 'yaml'
import { parseModelSync } from '../../core/src/model/load-model.js'
import type { Entry } from './wide-model.js'

type Path = readonly (string | number)[]

/** Parts of a model that a line may name as a whole. */
export const PARTS = ['access', 'calendars', 'decisions', 'examples', 'parameters', 'rollups', 'tests', 'views']

/** Whether an exporter loses a key in silence; undefined for a key that the question is not for. */
export async function isLost(exporter: Exporter, model: SemanticModel): Promise<(path: Path) => Promise<boolean | undefined>> {
  const document = model.document as unknown as Entry
  const whole = await said(exporter, model)
  return async (path) => {
    const isLeft = whole.left.some((item) => JSON.stringify(path).startsWith(item))
    if (isLeft || (whole.isUntyped && isTypeOfColumn(path))) return undefined
    const { model: other } = parseModelSync({ json: without(document, path) })
    if (!other || isDefault(path, model, other)) return undefined
    return whole.text === (await said(exporter, other)).text
  }
}

/** The paths of all keys of a document. */
export function keysOf(value: unknown, path: Path = []): readonly Path[] {
  if (Array.isArray(value)) return value.flatMap((each: unknown, at) => keysOf(each, [...path, at]))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => [[...path, key], ...keysOf(each, [...path, key])])
}

function without(document: Entry, path: Path): Entry {
  const copy = structuredClone(document)
  const [last, ...rest] = [...path].reverse()
  const owner = rest.reverse().reduce<unknown>((value, key) => (value as Entry)[key], copy) as Entry
  delete owner[String(last)]
  return copy
}

/** The text and the list, and the items that are left out as a whole. The extension of Ossie has the whole document, which no other tool reads. */
async function said(exporter: Exporter, model: SemanticModel) {
  const exported = await exporter.write(model)
  if ('faults' in exported) return { text: JSON.stringify(exported.faults), left: [], isUntyped: false }
  const { content, losses, written } = exported
  const text = 'text' in content ? content.text : stringify(content.yaml)
  const items = new Set(written.map((path) => JSON.stringify(path)))
  const left = losses.flatMap(({ kind, path }) =>
    kind === 'rewritten' || items.has(JSON.stringify(path)) ? [] : [`${JSON.stringify(path).slice(0, -1)},`],
  )
  return {
    text: JSON.stringify([text.replace(/custom_extensions:[\s\S]*$/m, ''), losses.map(({ kind, path }) => [kind, path])]),
    left,
    isUntyped: losses.some(({ path, message }) => path.join() === 'dataObjects' && message.includes('no types')),
  }
}

/** One line says that a text has no types. */
const isTypeOfColumn = ([kind, , part, , key]: Path): boolean =>
  kind === 'dataObjects' && part === 'columns' && ['abstractType', 'sqlType', 'sqlPrecision', 'sqlScale'].includes(String(key))

/** Keys whose value is what a model without them means. */
const isDefault = (path: Path, model: SemanticModel, other: SemanticModel): boolean =>
  JSON.stringify(plain({ ...model, document: 0, contentHash: 0 })) ===
    JSON.stringify(plain({ ...other, document: 0, contentHash: 0 })) &&
  !path.some((key) => PARTS.includes(String(key)) || NOTES.has(String(key)))

/** Keys of which the model has no trace, and a list has a line. */
const NOTES = new Set('customExtensions comment owner refresh numClass status use format countLabel connection'.split(' '))

/** Whether a type is written is no part of the meaning: the type is. Nor is the version of our own format. */
const UNMEANT = new Set(['version', 'isTyped', 'abstractType', 'resultType'])

const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, each: unknown) =>
      UNMEANT.has(key)
        ? undefined
        : each instanceof Map
          ? [...each]
          : typeof each === 'bigint'
            ? `${each}`
            : each instanceof Set
              ? [...each]
              : each,
    ),
  )
