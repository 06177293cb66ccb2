import type { DimensionField, MeasureField, MetricField, ModelSchema } from '@grainline/client'
import { type CommandIo, readArguments } from './command.js'
import { textTable } from './output/text-table.js'
import { fieldsOf, spelled } from './question/spelling.js'
import { modelFlags } from './target/target-flags.js'
import { withTarget } from './target/with-target.js'

export const flags = { ...modelFlags, json: { type: 'boolean' } } as const

/** `describe [MODEL] [NAME…]`: the fields of a model, or the meaning of some fields. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readArguments(args, flags)
  return withTarget({ command: 'describe', flags: values, positionals, io }, async ({ client, signal }, names) => {
    const schema = await client.schema({ signal })
    const chosen = names.map((name) => spelled(name, fieldsOf(schema)))
    const entries = entriesOf(schema).filter(({ name }) => chosen.length === 0 || chosen.includes(name))
    if (values.json) io.stdout.write(`${JSON.stringify(chosen.length === 0 ? schema : entries, null, 2)}\n`)
    else io.stdout.write(chosen.length === 0 ? overview(schema, entries) : entries.map(details).join('\n'))
    return 0
  })
}

type Entry =
  | ({ readonly kind: 'dimension' } & DimensionField)
  | ({ readonly kind: 'measure' } & MeasureField)
  | ({ readonly kind: 'metric' } & MetricField)

function entriesOf({ dimensions, measures, metrics }: ModelSchema): Entry[] {
  return [
    ...dimensions.map((field) => ({ kind: 'dimension' as const, ...field })),
    ...measures.map((field) => ({ kind: 'measure' as const, ...field })),
    ...metrics.map((field) => ({ kind: 'metric' as const, ...field })),
  ]
}

function overview({ name, description, data_objects }: ModelSchema, entries: readonly Entry[]): string {
  const graded = entries.some(({ status }) => status !== undefined)
  const columns = ['name', 'kind', 'type', 'from', ...(graded ? ['status'] : []), 'description'].map((each) => ({ name: each }))
  const rows = entries.map((entry) => [
    entry.name,
    entry.kind,
    typeOf(entry),
    sourceOf(entry),
    ...(graded ? [statusOf(entry)] : []),
    firstSentence(entry.description),
  ])
  const objects = data_objects.map((object) => object.name).join(', ')
  return `${[name, description?.trim()].filter(Boolean).join(': ')}\nData objects: ${objects}\n\n${textTable(columns, rows)}`
}

const typeOf = (entry: Entry): string => {
  if (entry.kind === 'dimension')
    return entry.time_grain === null ? entry.result_type : `${entry.result_type}/${entry.time_grain}`
  return entry.kind === 'measure' ? (entry.result_type ?? entry.aggregation) : entry.type
}

function sourceOf(entry: Entry): string {
  if (entry.kind === 'dimension') return entry.data_object
  if (entry.kind === 'measure') return [...new Set(entry.columns.map(({ data_object }) => data_object))].join(', ')
  return entry.component_measures.join(', ')
}

const statusOf = ({ status, use }: Entry): string => `${status ?? ''}${use === undefined ? '' : `, use ${use}`}`

const firstSentence = (text = ''): string => text.trim().split(/(?<=\.)\s/)[0] ?? ''

function details(entry: Entry): string {
  const facts: [string, string | undefined][] = [
    ['type', typeOf(entry)],
    ['is', definitionOf(entry)],
    ['only where', 'filters' in entry && entry.filters?.length ? JSON.stringify(entry.filters) : undefined],
    ['grain', 'grain' in entry && entry.grain !== undefined ? JSON.stringify(entry.grain) : undefined],
    [
      'over time',
      'semi_additive' in entry && entry.semi_additive !== undefined ? JSON.stringify(entry.semi_additive) : undefined,
    ],
    ['along', 'timeDimension' in entry ? entry.timeDimension : undefined],
    ['unit', entry.unit],
    ['format', entry.format],
    ['status', statusOf(entry) || undefined],
    ['also', entry.synonyms.join(', ') || undefined],
    ['owner', entry.owner],
    ['says', entry.description?.trim()],
  ]
  const lines = facts.flatMap(([key, value]) => (value === undefined ? [] : [`  ${key.padEnd(10)}  ${value}\n`]))
  return `${entry.name} (${entry.kind})\n${lines.join('')}`
}

function definitionOf(entry: Entry): string {
  if (entry.kind === 'dimension') return entry.column === null ? entry.data_object : `${entry.data_object}.${entry.column}`
  if (entry.kind === 'metric') return entry.expression?.trim() ?? entry.measure ?? entry.component_measures.join(', ')
  const of = entry.expression?.trim() ?? entry.columns.map(({ data_object, column }) => `${data_object}.${column}`).join(', ')
  return `${entry.aggregation}(${entry.distinct ? 'distinct ' : ''}${of || 'rows'})`
}
