/** Merges fragments (`extends`) and a parent (`inherits`) with a document; nothing is ever replaced silently. */
import { nearAccess } from './access.js'
import type { ModelDocument } from './document.js'
import type { Faults } from './faults.js'
import { setOwn } from './parse/yaml.js'
import { isRecord } from './shape.js'

type Plain = Readonly<Record<string, unknown>>

/** A parsed document and its source. */
export interface Part {
  /** `''` for the document itself, `extends[0]`, `inherits`. */
  readonly source: string
  readonly document: Plain
}

export interface Merged {
  readonly document: ModelDocument
  /**
   * Empty if there is only one part. Otherwise the part that contains an entry: `section\0name` or `section\0index` of the merged document
   * → its part and its index or name there.
   */
  readonly origins: ReadonlyMap<string, { readonly part: Part; readonly key: string | number }>
}

const NAMED_IN_FRAGMENTS = ['dimensions', 'measures', 'metrics'] as const
const LISTED = ['filters', 'examples'] as const
const NAMED = ['dataObjects', ...NAMED_IN_FRAGMENTS, 'segments', 'views', 'rollups', 'calendars', 'parameters'] as const
/** Dimensions, measures and metrics share one namespace. */
const SHARED = new Set<string>(NAMED_IN_FRAGMENTS)

/** The document on top of its parent, with its fragments, in order, on top of it. */
export function mergeParts(main: Part, parent: Part | undefined, fragments: readonly Part[], faults: Faults): Merged {
  const bases: Part[] = parent ? [parent, main] : [main]
  const document: Record<string, unknown> = {}
  for (const base of bases) mergeTop(document, base.document)
  if (bases.length === 1 && fragments.length === 0) return { document: document as ModelDocument, origins: new Map() }
  const origins = new Map<string, { part: Part; key: string | number }>()
  for (const fragment of fragments) refuseForeignSections(fragment, faults)
  const parts = [...bases, ...fragments]
  for (const section of NAMED) {
    const sources = NAMED_IN_FRAGMENTS.includes(section as 'dimensions') ? parts : bases
    if (sources.some((part) => isRecord(part.document[section])))
      document[section] = mergeNamed(section, sources, origins, faults)
  }
  for (const section of LISTED) {
    if (parts.some((part) => Array.isArray(part.document[section]))) document[section] = mergeListed(section, parts, origins)
  }
  return { document: document as ModelDocument, origins }
}

function mergeTop(target: Record<string, unknown>, source: Plain): void {
  for (const [key, value] of Object.entries(source)) {
    if (key === 'extends' || key === 'inherits') continue
    if (key === 'settings' && isRecord(value) && isRecord(target[key])) setOwn(target, key, { ...target[key], ...value })
    else if (key === 'access' && isRecord(value) && isRecord(target[key])) setOwn(target, key, mergeAccess(target[key], value))
    else setOwn(target, key, value)
  }
}

/** A child adds rules to those of its parent, and removes none. An attribute of the parent stays as it is, and SQL is for the roles that both list. */
function mergeAccess(parent: Plain, child: Plain): Plain {
  const list = (of: Plain, key: string): readonly unknown[] => (Array.isArray(of[key]) ? of[key] : [])
  const both = list(child, 'sql').filter((role) => list(parent, 'sql').includes(role))
  return {
    ...child,
    ...parent,
    attributes: { ...(isRecord(child.attributes) && child.attributes), ...(isRecord(parent.attributes) && parent.attributes) },
    rows: [...list(parent, 'rows'), ...list(child, 'rows')],
    unbound: [...list(parent, 'unbound'), ...list(child, 'unbound')],
    fields: [...list(parent, 'fields'), ...list(child, 'fields')],
    sql: parent.sql === undefined || child.sql === undefined ? (parent.sql ?? []) : both,
  }
}

function mergeNamed(
  section: string,
  parts: readonly Part[],
  origins: Map<string, { part: Part; key: string | number }>,
  faults: Faults,
): Plain {
  const merged: Record<string, unknown> = {}
  for (const part of parts) {
    const entries = part.document[section]
    if (!isRecord(entries)) continue
    for (const [name, value] of Object.entries(entries)) {
      const first = firstOf(section, name, origins)
      if (first !== undefined && first.part !== part) {
        const [here, there] = [sourceName(part), sourceName(first.part)]
        faults.error(
          'DUPLICATE_IDENTIFIER',
          [section, name],
          `'${name}' of ${here} is already declared in '${first.section}' of ${there}`,
          {
            onKey: true,
            context: { first: { section: first.section, source: there }, second: { section, source: here } },
          },
        )
        continue
      }
      setOwn(merged, name, value)
      origins.set(`${section}\0${name}`, { part, key: name })
    }
  }
  return merged
}

function firstOf(
  section: string,
  name: string,
  origins: Map<string, { part: Part }>,
): { part: Part; section: string } | undefined {
  for (const other of SHARED.has(section) ? SHARED : [section]) {
    const found = origins.get(`${other}\0${name}`)
    if (found) return { part: found.part, section: other }
  }
  return undefined
}

function mergeListed(
  section: string,
  parts: readonly Part[],
  origins: Map<string, { part: Part; key: string | number }>,
): unknown[] {
  const merged: unknown[] = []
  for (const part of parts) {
    const items = part.document[section]
    if (!Array.isArray(items)) continue
    for (const [i, item] of items.entries()) {
      origins.set(`${section}\0${merged.length}`, { part, key: i })
      merged.push(item)
    }
  }
  return merged
}

/** As in the document itself, rules below a key that is almost `access` are no warning. `fragment` has its unknown keys. */
export function refuseNearAccess({ source, document }: Part, faults: Faults): void {
  for (const key of nearAccess(document)) {
    const message = `'${key}' of ${source} is not a key that is known here, and access rules stand in no fragment: write 'access' into the document`
    faults.error('INVALID_SETTING', [], message, { context: { source, key } })
  }
}

function refuseForeignSections(fragment: Part, faults: Faults): void {
  const allowed = new Set<string>([
    ...NAMED_IN_FRAGMENTS,
    ...LISTED,
    'version',
    'name',
    'description',
    'owner',
    'customExtensions',
  ])
  for (const key of Object.keys(fragment.document)) {
    if (allowed.has(key)) continue
    const message = `A fragment may hold ${[...NAMED_IN_FRAGMENTS, ...LISTED].join(', ')} only; '${key}' of ${fragment.source} is none of them`
    faults.error('INVALID_SETTING', [], message, { context: { source: fragment.source, key } })
  }
}

/** The name of a part in messages. */
export const sourceName = (part: Part): string => part.source || 'the document'
