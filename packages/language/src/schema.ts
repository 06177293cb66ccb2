import type { Segments } from './model-text.js'

/** The parts of JSON Schema that the model's schema uses. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
}

/** The schema of a place; `undefined` if it has none. */
export function schemaAt(root: Schema, path: Segments): Schema | undefined {
  let schema: Schema | undefined = root
  for (const part of path) {
    schema = schema && step(resolved(root, schema), part, root)
    if (schema === undefined) return undefined
  }
  return resolved(root, schema)
}

function step({ properties, patternProperties, items, anyOf }: Schema, part: string | number, root: Schema): Schema | undefined {
  const found =
    typeof part === 'number'
      ? items
      : ((Object.hasOwn(properties ?? {}, part) ? properties?.[part] : undefined) ?? Object.values(patternProperties ?? {})[0])
  if (found !== undefined) return found
  for (const option of anyOf ?? []) {
    const inner = step(resolved(root, option), part, root)
    if (inner !== undefined) return inner
  }
  return undefined
}

function resolved(root: Schema, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (root.$defs?.[schema.$ref.slice('#/$defs/'.length)] ?? {})
}

/** The possible keys of a place. */
export function keysAt(root: Schema, path: Segments): Readonly<Record<string, Schema>> {
  return schemaAt(root, path)?.properties ?? {}
}
