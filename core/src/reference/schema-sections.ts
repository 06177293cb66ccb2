/** A JSON Schema as tables, one per object. */
import type { Schema } from '../model/shape.js'
import { row } from './markdown.js'

export type Described = Schema & { readonly description?: string }

/** One table per object of the schema, the outer before the inner. */
export function sections(title: string, schema: Described, root: Described, seen: Set<Described>): string[] {
  seen.add(schema)
  const entries = Object.entries(schema.properties ?? {}) as [string, Described][]
  const inner: [string, Described][] = []
  const rows = entries.map(([key, value]) => {
    const nested = objectsOf(value, root)
    for (const object of nested)
      if (object.properties && !seen.has(object)) inner.push([title === 'Top level' ? key : `${title}.${key}`, object])
    const needed = schema.required?.includes(key) ? 'yes' : ''
    return row(`\`${key}\``, typeOf(value, root), needed, describe(value) || nested.map(describe).find(Boolean) || '')
  })
  const lines = [`## ${title}`, '', ...(schema.description && title !== 'Top level' ? [schema.description, ''] : [])]
  lines.push(row('Key', 'Value', 'Needed', 'Meaning'), row('---', '---', '---', '---'), ...rows, '')
  return [...lines, ...inner.flatMap(([name, object]) => (seen.has(object) ? [] : sections(name, object, root, seen)))]
}

const describe = (schema: Described): string => schema.description ?? ''
const follow = (schema: Described, root: Described): Described =>
  schema.$ref === undefined ? schema : (root.$defs![schema.$ref.slice('#/$defs/'.length)] as Described)

/** The objects that a value is, or contains in a list or by name. */
function objectsOf(value: Described, root: Described): Described[] {
  const schema = follow(value, root)
  const held = [
    ...(schema.anyOf ?? []),
    ...(schema.items ? [schema.items] : []),
    ...Object.values(schema.patternProperties ?? {}),
  ]
  return held.length > 0 ? held.flatMap((one) => objectsOf(one as Described, root)) : schema.type === 'object' ? [schema] : []
}

function typeOf(value: Described, root: Described): string {
  const schema = follow(value, root)
  if (schema.enum) return schema.enum.map((one) => `\`${one}\``).join(', ')
  if (schema.anyOf) return [...new Set(schema.anyOf.map((one) => typeOf(one as Described, root)))].join(' or ')
  if (schema.items) return `list of ${typeOf(schema.items as Described, root)}`
  const entry = Object.values(schema.patternProperties ?? {})[0]
  if (entry) return `mapping of names to ${typeOf(entry as Described, root)}`
  return [schema.type ?? 'any value'].flat().join(' or ')
}
