/**
 * Writes docs/reference from the schemas and tables that the code itself uses:
 *   node --conditions=@grainline/source --import tsx scripts/reference.ts [--check]
 * With --check nothing is written, and a page that is out of date ends it with status 1.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { catalog } from '../core/src/error-catalog.js'
import { modelSchema } from '../core/src/model/document.js'
import { valueCount } from '../core/src/model/filter-value.js'
import { AGGREGATE_ALIASES, builtInAggregates } from '../core/src/model/functions/aggregates.js'
import { builtInFunctions, FUNCTION_ALIASES, TIME_UNITS } from '../core/src/model/functions/catalogue.js'
import type { Operator } from '../core/src/model/operators.js'
import { OPERATORS } from '../core/src/model/operators.js'
import type { Schema } from '../core/src/model/shape.js'
import { querySchema } from '../core/src/query/query-schema.js'

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'reference')

const pages: Readonly<Record<string, () => string>> = {
  'model-format.md': modelPage,
  'query.md': queryPage,
  'functions.md': functionsPage,
  'errors.md': errorsPage,
  'schemas/model.json': () => schemaFile(modelSchema),
  'schemas/query.json': () => schemaFile(querySchema),
}

function schemaFile(schema: object): string {
  return `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema }, undefined, 2)}\n`
}

type Described = Schema & { readonly description?: string }

function modelPage(): string {
  const root = modelSchema as unknown as Described
  return page(
    'The model document',
    'YAML or JSON. `schemas/model.json` is the same as a JSON Schema; an editor uses it through a first line',
    '`# yaml-language-server: $schema=schemas/model.json`. A key that is not listed is ignored with a warning.',
    '',
    ...sections('Top level', root, root, new Set()),
  )
}

function queryPage(): string {
  const root = querySchema as unknown as Described
  const rows = Object.entries(OPERATORS).map(([name, spellings]) => {
    const others = spellings.filter((spelling) => spelling !== name).map((spelling) => `\`${spelling}\``)
    return row(`\`${name}\``, others.join(', '), VALUES[valueCount(name as Operator)]!)
  })
  return page(
    'The query',
    'JSON. `schemas/query.json` is the same as a JSON Schema. Every key may be written in snake_case or camelCase; a key that is not listed is an error.',
    '',
    ...sections('Top level', root, root, new Set()),
    '## Operators',
    '',
    row('Operator', 'Other spellings', 'Value'),
    row('---', '---', '---'),
    ...rows,
  )
}

const VALUES: Readonly<Record<string, string>> = {
  none: 'none',
  one: 'one',
  two: 'a list of two',
  list: 'a list',
  relative: '`{unit, count, direction, include_current}`',
  subquery: 'none; `subquery {dataObject, pathName, filter}`',
}

/** One table per object of the schema, the outer before the inner. */
function sections(title: string, schema: Described, root: Described, seen: Set<Described>): string[] {
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

/** The objects that a value is, holds as a list, or holds by name. */
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

function functionsPage(): string {
  const arity = ([least, most]: readonly [number, number]): string =>
    least === most ? `${least}` : most === Number.POSITIVE_INFINITY ? `${least} or more` : `${least} to ${most}`
  const aliases = (names: ReadonlyMap<string, string>, name: string): string =>
    [...names]
      .filter(([, target]) => target === name)
      .map(([alias]) => ` (\`${alias}\`)`)
      .join('')
  return page(
    'Functions and aggregations',
    'Each means the same on every engine. Arguments that are NULL give NULL unless said otherwise.',
    '',
    '## Functions',
    '',
    `Units are written out: ${TIME_UNITS.join(', ')}.`,
    '',
    row('Function', 'Arguments', 'Meaning'),
    row('---', '---', '---'),
    ...[...builtInFunctions.values()].map((spec) =>
      row(`\`${spec.name}\`${aliases(FUNCTION_ALIASES, spec.name)}`, arity(spec.arity), spec.meaning),
    ),
    '',
    '## Aggregations',
    '',
    row('Aggregation', 'Inputs', 'Adds up', 'Of no rows', 'Meaning'),
    row('---', '---', '---', '---', '---'),
    ...[...builtInAggregates.values()].map((spec) =>
      row(
        `\`${spec.name}\`${aliases(AGGREGATE_ALIASES, spec.name)}`,
        arity(spec.arity),
        spec.additivity === 'additive' ? 'yes' : 'no',
        spec.empty === 'zero' ? '0' : 'NULL',
        spec.meaning,
      ),
    ),
  )
}

function errorsPage(): string {
  const rows = Object.entries(catalog).map(([code, { status, meaning, mend }]) =>
    row(`\`${code}\``, String(status), meaning, mend),
  )
  return page(
    'Codes',
    'Errors and warnings have one code each; codes are added, never reused. A warning does not change the status of an answer.',
    '',
    row('Code', 'Status', 'Meaning', 'How to mend it'),
    row('---', '---', '---', '---'),
    ...rows,
  )
}

function row(...cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function page(title: string, ...lines: string[]): string {
  return `<!-- Written by scripts/reference.ts; edit the schemas and tables, not this page. -->\n# ${title}\n\n${lines.join('\n')}\n`
}

const check = process.argv.includes('--check')
const stale: string[] = []
for (const [name, render] of Object.entries(pages)) {
  const path = join(folder, name)
  const text = render()
  if (check) {
    if ((await readFile(path, 'utf8').catch(() => '')) !== text) stale.push(name)
    continue
  }
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
if (stale.length > 0) {
  console.error(`docs/reference is out of date (${stale.join(', ')}); run scripts/reference.ts`)
  process.exitCode = 1
}
