import { componentsOf, type Dimension, type Measure, type Metric } from '../semantic-model.js'
import type { Context } from './context.js'

interface Fields {
  readonly dimensions: ReadonlyMap<string, Dimension>
  readonly measures: ReadonlyMap<string, Measure>
  readonly metrics: ReadonlyMap<string, Metric>
}

type FieldsByName = ReadonlyMap<string, Measure | Metric>

/** A certified metric over a proposed field is itself proposed, because its number is not agreed. */
export function withSoundStatus(
  metrics: ReadonlyMap<string, Metric>,
  measures: ReadonlyMap<string, Measure>,
  context: Context,
): ReadonlyMap<string, Metric> {
  const fields: FieldsByName = new Map<string, Measure | Metric>([...measures, ...metrics])
  return new Map(
    [...metrics].map(([name, metric]) => {
      const proposed = metric.status === 'certified' ? proposedBelow(metric, fields) : undefined
      if (proposed === undefined) return [name, metric] as const
      const message = `'${name}' is made of '${proposed}', which is only proposed; so '${name}' is presented as proposed`
      context.faults.warn('CERTIFIED_OVER_PROPOSED', ['metrics', name, 'status'], message)
      return [name, { ...metric, status: 'proposed' as const }] as const
    }),
  )
}

function proposedBelow(metric: Metric, fields: FieldsByName): string | undefined {
  const seen = new Set(componentsOf(metric))
  for (const name of seen) {
    const field = fields.get(name)
    if (field?.status === 'proposed') return name
    if (field !== undefined && 'type' in field) for (const component of componentsOf(field)) seen.add(component)
  }
  return undefined
}

/** The replacement of a deprecated field is a field of the same kind that is not deprecated; other fields have no replacement. */
export function checkStatuses({ dimensions, measures, metrics }: Fields, context: Context): void {
  const fields: FieldsByName = new Map<string, Measure | Metric>([...measures, ...metrics])
  for (const field of dimensions.values()) checkStatus('dimensions', field, dimensions, context)
  for (const field of measures.values()) checkStatus('measures', field, fields, context)
  for (const field of metrics.values()) checkStatus('metrics', field, fields, context)
}

type Field = Dimension | Measure | Metric

function checkStatus(section: keyof Fields, field: Field, sort: ReadonlyMap<string, Field>, { faults }: Context): void {
  const { name, status, use } = field
  const path = [section, name, 'use']
  if (use === undefined) {
    if (status === 'deprecated')
      faults.warn('REPLACEMENT_MISSING', [section, name, 'status'], `'${name}' is deprecated and does not say what replaces it`)
    return
  }
  const other = sort.get(use)
  const what = section === 'dimensions' ? 'a dimension' : 'a measure or metric'
  if (other === undefined)
    faults.unknown('INVALID_REPLACEMENT', path, {
      message: `'${use}' is not ${what} of this model`,
      name: use,
      known: sort.keys(),
    })
  else if (use === name) faults.error('INVALID_REPLACEMENT', path, `'${name}' cannot replace itself`)
  else if (status !== 'deprecated')
    faults.warn('INVALID_REPLACEMENT', path, `'${name}' is not deprecated, so '${use}' does not replace it`)
  else if (other.status === 'deprecated') faults.warn('INVALID_REPLACEMENT', path, `'${use}' is deprecated too`)
}
