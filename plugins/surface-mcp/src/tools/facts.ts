import type { Schema } from '../api/shapes.js'
import { type AnyField, typeOf } from './fields.js'

/** What the model says of a field: kind, type and definition, what restricts it, and its words. */
export const factsOf = (field: AnyField): string[] => [
  `${field.name}: ${field.kind} ${typeOf(field)} = ${definitionOf(field)}`,
  ...restrictions(field),
  ...words(field),
]

function definitionOf(field: AnyField): string {
  if (field.kind === 'dimension') return field.column === null ? field.data_object : `${field.data_object}.${field.column}`
  if (field.kind === 'metric') return field.expression ?? field.measure ?? field.component_measures.join(', ')
  const of = field.expression ?? field.columns.map(({ data_object, column }) => `${data_object}.${column}`).join(', ')
  return `${field.aggregation}(${field.distinct ? 'distinct ' : ''}${of})`
}

/** The properties besides the definition that change the value. Without them an agent would pick the wrong field. */
function restrictions(field: AnyField): string[] {
  if (field.kind === 'metric') return field.timeDimension === undefined ? [] : [`along ${field.timeDimension}`]
  if (field.kind === 'dimension') return field.drill_to ? [`next level ${field.drill_to.join(', ')}`] : []
  return [
    ...(field.filters?.length ? [`only where ${field.filters.map(filterText).join(' and ')}`] : []),
    ...(field.total ? ['over all rows of the question'] : []),
    ...(field.grain === undefined ? [] : [`grain ${JSON.stringify(field.grain)}`]),
    ...(field.filter_context === undefined ? [] : [`filter context ${JSON.stringify(field.filter_context)}`]),
    ...(field.granularity === undefined
      ? []
      : [
          `one value for each ${field.granularity}${field.spread === undefined ? ', not for shorter periods' : ', spread over its days'}`,
        ]),
    ...(field.semi_additive === undefined ? [] : [`not summed over time ${JSON.stringify(field.semi_additive)}`]),
  ]
}

const words = ({ description, synonyms, format, unit, status, use }: AnyField): string[] => [
  ...(description === undefined ? [] : [description.trim()]),
  ...(synonyms.length > 0 ? [`also ${synonyms.join(', ')}`] : []),
  ...(unit === undefined ? [] : [`unit ${unit}`]),
  ...(format === undefined ? [] : [`format ${format}`]),
  ...(status === undefined ? [] : [`status ${status}${use === undefined ? '' : `, use ${use}`}`]),
]

/** `Flights.Departure Time is_null`; a filter of filters as JSON. */
function filterText(filter: unknown): string {
  const { field, op, value, ...further }: Readonly<Record<string, unknown>> = { ...(filter as object) }
  if (typeof field !== 'string' || typeof op !== 'string' || Object.keys(further).length > 0) return JSON.stringify(filter)
  return `${field} ${op}${value === undefined ? '' : ` ${JSON.stringify(value)}`}`
}

/** The filters of the model, which apply to every query. */
export function always({ filters, parameters }: Schema): string[] {
  const texts = filters.map(({ data_object, column, operator, value, values }) => {
    const given = value === undefined ? values : value
    return `${data_object}.${column} ${operator} ${JSON.stringify(given)}`
  })
  const open = parameters.map(({ name, type, list, values, default: own, description }) =>
    [
      `${name}: ${type}${list ? ' list' : ''}`,
      ...(values ? [`one of ${values.join(', ')}`] : []),
      own === undefined ? 'required' : `default ${JSON.stringify(own)}`,
      ...(description === undefined ? [] : [description.trim()]),
    ].join(', '),
  )
  return [
    ...(texts.length === 0 ? [] : [`Always: ${texts.join('; ')}`]),
    ...(open.length === 0 ? [] : [`Parameters (more.parameters): ${open.join('; ')}`]),
  ]
}
