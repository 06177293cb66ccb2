import type { ModelSchema } from '@grainline/client'
import { TIME_GRAINS } from '../../model/grain.js'

/** The TypeScript interface of a model, for `createClient`. The same model gives the same text. */
export function modelTypes(schema: ModelSchema, name: string | undefined): string {
  const { dimensions, measures, metrics, data_objects, segments, parameters = [], grains = TIME_GRAINS } = schema
  const title = name ?? typeName(schema.name ?? 'Model')
  const times = dimensions.filter(({ result_type }) => isTime(result_type)).map((field) => field.name)
  return [
    `// Written by grainline codegen from the model ${JSON.stringify(schema.name ?? title)}. Do not edit; run it again.`,
    `export interface ${title} {`,
    ...section(
      'dimensions',
      dimensions.map((field) => [field, valueType(field.result_type)]),
    ),
    `  times: ${union(times)}`,
    `  grains: ${union(grains)}`,
    ...section('measures', [
      ...measures.map((field): Entry => [field, measured(field.result_type)]),
      ...metrics.map((field): Entry => [field, measured(field.result_type)]),
    ]),
    ...section(
      'columns',
      data_objects.flatMap(({ name: object, columns }) =>
        columns.map((column): Entry => [{ ...column, name: `${object}.${column.name}` }, valueType(column.abstract_type)]),
      ),
    ),
    `  segments: ${union(segments.map((segment) => segment.name))}`,
    ...(parameters.length === 0
      ? []
      : section(
          'parameters',
          parameters.map((field): Entry => [field, parameterType(field)]),
        )),
    '}',
    '',
  ].join('\n')
}

interface Documented {
  readonly name: string
  readonly description?: string
  readonly status?: string
  readonly use?: string
}
type Entry = readonly [Documented, string]

const section = (title: string, entries: readonly Entry[]): string[] => [
  `  ${title}: {`,
  ...entries.flatMap(([field, type]) => [...comment(field), `    ${JSON.stringify(field.name)}: ${type}`]),
  '  }',
]

/** An editor strikes a deprecated name through and shows its replacement. */
function comment({ description, status, use }: Documented): string[] {
  const says = [
    ...(description === undefined ? [] : [description.trim().replace(/\s+/g, ' ')]),
    ...(status === 'deprecated' ? [`@deprecated${use === undefined ? '' : ` Use ${JSON.stringify(use)}.`}`] : []),
    ...(status === 'proposed' ? ['Proposed, not certified.'] : []),
  ]
  return says.length === 0 ? [] : [`    /** ${says.join(' ').replaceAll('*/', '*\\/')} */`]
}

const union = (names: readonly string[]): string =>
  names.length === 0 ? 'never' : names.map((name) => JSON.stringify(name)).join(' | ')

const isTime = (type: string): boolean => /^(date|timestamp)/.test(type)

/** The types of values in the rows of an answer: decimals are text, and so are integers beyond 2^53. */
function valueType(type: string): string {
  if (/^(float|double)/.test(type)) return 'number'
  if (/^(int|bigint)/.test(type)) return NUMBER_OR_TEXT
  if (type === 'boolean') return 'boolean'
  return type === 'json' ? 'unknown' : 'string'
}

function parameterType({ type, list, nullable, values }: NonNullable<ModelSchema['parameters']>[number]): string {
  const plain = values?.every((value) => typeof value === 'string')
    ? union(values)
    : /^decimal/.test(type)
      ? NUMBER_OR_TEXT
      : valueType(type)
  const one = nullable ? `${plain} | null` : plain
  return list ? `readonly (${one})[]` : one
}

const NUMBER_OR_TEXT = 'number | string'

/** If no query shows the type, a value may be a number, or a decimal as text. */
const measured = (type: string | null | undefined): string => (type ? valueType(type) : NUMBER_OR_TEXT)

/** A valid TypeScript name: `Flights of 2013` becomes `FlightsOf2013`. */
function typeName(name: string): string {
  const words = name.normalize('NFKD').match(/[A-Za-z0-9]+/g) ?? []
  const joined = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
  return /^[A-Za-z]/.test(joined) ? joined : `Model${joined}`
}
