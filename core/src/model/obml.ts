/**
 * Models in OBML, which other servers read, too: a document of this server whose other keys are not known here. Read as it is, such a key
 * is a warning; as a text of another format, it has a line in the list, and an access rule refuses the text.
 */
import type { Finding } from '../errors.js'
import { dotted, MAX_FAULTS } from './faults.js'
import type { ImportedPlace, Importer, Loss } from './importer.js'
import { loadModel } from './load-apart.js'
import type { LoadRequest } from './load-model.js'
import type { Segments, Wanted } from './parse/locate.js'
import { workApart } from './parse/parse-worker.js'
import type { ReadText } from './parse/read-text.js'
import { isRecord } from './shape.js'

/** The name of the format. */
export const OBML = 'obml'

/** `catalogue`: the functions and aggregates that a model may call. */
export const obmlWith = (catalogue: () => Pick<LoadRequest, 'functions' | 'aggregates'>): Importer => ({
  name: OBML,
  // Such a text is a model of this server.
  detect: () => false,
  async read({ text, client }) {
    const { errors, warnings } = await loadModel({ text, ...catalogue(), ...(client !== undefined && { client }) })
    if (errors.length > 0) return { faults: errors.map(faultOf) }
    const { value } = (await workApart({ kind: 'read', text }, client)) as ReadText
    if (!isRecord(value)) return { faults: [{ message: 'The text is not a mapping of keys.', place: { line: 1, column: 1 } }] }
    const unknown = warnings.filter(({ code }) => code === 'UNKNOWN_PROPERTY')
    if (warnings.length >= MAX_FAULTS)
      return { faults: [{ message: 'The text has too many keys that are not known.', place: { line: 1, column: 1 } }] }
    const document = without(new Set(unknown.map(({ path }) => path)), value)
    return {
      document,
      places: await placesOf(document, text, client),
      losses: [...unknown.map(lossOf), ...(await extensionsOf(document, text, client))],
    }
  },
})

const faultOf = ({ message, hint, line = 1, column = 1 }: Finding) => ({
  ...{ message, place: { line, column } },
  ...(hint !== undefined && { hint }),
})

/** Keys of rules that decide who sees what; none of them is a key of OBML 1.0. */
const SECURITY =
  /^((row|column|data|object|field)_?(level_?)?(access|security|filters?|masks?|polic(y|ies)|permissions?)|access_?(polic(y|ies)|filters?|rules?|control)|masks?|masking(_?polic(y|ies))?|(user_?)?roles?|permissions?|security|required_?(roles?|access)|visible_?to)$/i

function lossOf({ path, line = 1, column = 1 }: Finding): Loss {
  const key = path.split('.').at(-1) ?? path
  const isSecurity = SECURITY.test(key)
  const why = isSecurity ? 'it decides who sees what' : 'the model has no place for it'
  return {
    ...{ kind: 'refused', message: `'${path}' is left out: ${why}.`, place: { line, column } },
    ...(isSecurity ? { isSecurity } : { hint: 'If another tool reads it, write it into customExtensions.' }),
  }
}

/** The same values without the keys at these paths. */
function without(paths: ReadonlySet<string>, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = (each: unknown, segments: Segments): unknown => {
    if (Array.isArray(each)) return each.map((item: unknown, at) => kept(item, [...segments, at]))
    if (!isRecord(each)) return each
    const entries = Object.entries(each).map(([key, item]) => [key, item, [...segments, key]] as const)
    return Object.fromEntries(
      entries.filter(([, , path]) => !paths.has(dotted(path))).map(([key, item, path]) => [key, kept(item, path)]),
    )
  }
  return paths.size === 0 ? value : (kept(value, []) as Record<string, unknown>)
}

/** What vendors say is kept, and nothing acts on it. */
async function extensionsOf(
  document: Readonly<Record<string, unknown>>,
  text: string,
  client?: string,
): Promise<readonly Loss[]> {
  const paths = itemsOf(document).filter(({ item }) => isRecord(item) && Array.isArray(item['customExtensions']))
  const places = await located(
    paths.map(({ path }) => [...path, 'customExtensions']),
    text,
    client,
  )
  return places.map(({ path, place }) => ({
    ...{ kind: 'inert' as const, path, place },
    message: `'${dotted(path)}' is kept, and nothing acts on it.`,
  }))
}

const KINDS = ['dataObjects', 'dimensions', 'measures', 'metrics', 'segments', 'calendars', 'parameters', 'views']

interface Item {
  readonly path: Segments
  readonly item: unknown
}

/** The model itself, its items, and the columns of its objects. */
const itemsOf = (document: Readonly<Record<string, unknown>>): readonly Item[] => [
  { path: [], item: document },
  ...KINDS.flatMap((kind) => itemsIn(document, [kind])),
  ...itemsIn(document, ['dataObjects']).flatMap(({ path, item }) =>
    itemsIn(isRecord(item) ? item : {}, ['columns']).map((column) => ({ ...column, path: [...path, ...column.path] })),
  ),
]

function itemsIn(document: Readonly<Record<string, unknown>>, [kind = '']: readonly string[]): readonly Item[] {
  const items = document[kind]
  return isRecord(items) ? Object.entries(items).map(([name, item]) => ({ path: [kind, name], item })) : []
}

const placesOf = (
  document: Readonly<Record<string, unknown>>,
  text: string,
  client?: string,
): Promise<readonly ImportedPlace[]> =>
  located(
    itemsOf(document).flatMap(({ path }) => (path.length === 2 ? [path] : [])),
    text,
    client,
  )

async function located(paths: readonly Segments[], text: string, client?: string): Promise<readonly ImportedPlace[]> {
  const wanted: readonly Wanted[] = paths.map((segments) => ({ segments, onKey: true }))
  const places = (await workApart({ kind: 'locate', text, wanted }, client)) as readonly ImportedPlace['place'][]
  return paths.flatMap((path, at) => {
    const place = places[at]
    return place ? [{ path, place }] : []
  })
}
