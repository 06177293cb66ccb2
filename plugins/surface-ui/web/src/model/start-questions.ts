/** Questions to begin with, made from the model alone: a total over time, and the largest groups. */
import type { Schema } from '../api/types.js'
import type { Query } from '../query/query.js'
import { type Field, fieldsOf, groupsOf } from './fields.js'

/** The measure that the questions ask for; `undefined` for a model without measures. */
export const startMeasure = (schema: Schema): string | undefined => measureOf(schema, fieldsOf(schema))?.name

/** `groups` are the dimensions by which the measure can be grouped. */
export function startQuestions(schema: Schema, groups: ReadonlySet<string>): readonly Query[] {
  const fields = fieldsOf(schema)
  const measure = measureOf(schema, fields)
  if (measure === undefined) return []
  const dimensions = fields
    .filter(({ kind, name, status }) => kind === 'dimension' && groups.has(name) && status !== 'deprecated')
    .toSorted(certifiedFirst)
  const own = (field: Field) => Number(field.group !== measure.group)
  const [time] = dimensions.filter(({ isTime }) => isTime).toSorted((a, b) => own(a) - own(b))
  const [text] = dimensions.filter(({ type }) => type === 'string').toSorted((a, b) => Number(isCode(a)) - Number(isCode(b)))
  const measures = [measure.name]
  return [
    ...(time ? [{ select: { dimensions: [byMonth(time)], measures }, order_by: [{ field: 1, direction: 'asc' as const }] }] : []),
    ...(text
      ? [
          {
            select: { dimensions: [text.name], measures },
            order_by: [{ field: measure.name, direction: 'desc' as const }],
            limit: 10,
          },
        ]
      : []),
    { select: { measures } },
  ]
}

/** A coarser time stays as it is. */
const byMonth = ({ name, grain }: Field): string => (grain === undefined || FINE.has(grain) ? `${name}:month` : name)

/** A sum of the main fact, else another measure of it. */
function measureOf(schema: Schema, fields: readonly Field[]): Field | undefined {
  const sums = new Set(schema.measures.flatMap(({ name, aggregation }) => (aggregation === 'sum' ? [name] : [])))
  const [main] = groupsOf(schema, fields).filter(({ section }) => section === 'Measures')
  const current = (main?.fields ?? []).filter(({ status }) => status !== 'deprecated')
  const certified = current.toSorted(certifiedFirst)
  return certified.find(({ name }) => sums.has(name)) ?? certified.find(({ kind }) => kind === 'measure') ?? certified[0]
}

const certifiedFirst = (a: Field, b: Field): number => Number(b.status === 'certified') - Number(a.status === 'certified')
/** Names say more than codes, and have fewer values than keys. */
const isCode = ({ name }: Field): boolean =>
  /\b(?:id|key|code|number|no|email|phone|url|address|description|comment)\b/i.test(name)
const FINE: ReadonlySet<string> = new Set(['second', 'minute', 'hour', 'day', 'week'])
