/** The shop with generated fields that are hidden from everybody but administrators: two of them differ in nothing else. */
import { parse } from 'yaml'
import { randomFrom } from '../oracle/generate/random.js'
import { MODEL } from './shop.js'

/** Names that hidden fields have; some are near those of fields that are shown. */
export const HIDDEN_NAMES = [
  'Margin',
  'Revenues',
  'Customer Salary',
  'Region Code',
  'Averages',
  'Orders Counted',
  'Zip Code',
  'Cost',
  'Rate 2',
] as const

type Record_ = Record<string, unknown>
interface Document {
  dataObjects: Record<'Orders' | 'Customers', { columns: Record_ }>
  dimensions: Record_
  measures: Record_
  metrics: Record_
  segments: Record_
  views: Record_
  examples: unknown[]
  access: { fields: unknown[] }
}

export interface HiddenShop {
  readonly model: string
  readonly tables: readonly string[]
  /** What nobody may read. */
  readonly hidden: readonly string[]
}

/** `kept` is in all of them: a published measure over a hidden column. */
const KEPT = { 'Kept Mean': 'avg', 'Kept Sum': 'sum' } as const

export function hiddenShop(seed: number): HiddenShop {
  const random = randomFrom(seed)
  const names = HIDDEN_NAMES.filter(() => random.chance(0.7))
  // The column of the published measures needs a name.
  const [kept = 'Only', ...others] = names
  const document = parse(MODEL) as Document
  const { dataObjects, dimensions, measures, metrics, access } = document
  dataObjects.Orders.columns[kept] = { code: 'kept', abstractType: 'int' }
  for (const [name, aggregation] of Object.entries(KEPT))
    measures[name] = { columns: [{ dataObject: 'Orders', column: kept }], aggregation }
  metrics['Kept Rate'] = { expression: '{[Kept Sum]} / {[Orders Count]}' }
  const desk = ['Revenue', { field: 'Region', as: 'Customer' }, ...Object.keys(KEPT), 'Kept Rate']
  document.views = { Desk: { fields: desk, where: [{ field: 'Customer', op: 'neq', value: 'Lost' }] } }
  document.segments = { Northern: { filters: [{ field: 'Region', op: '=', value: 'North' }] } }
  const hide: string[] = [`Orders.${kept}`]
  for (const [i, name] of others.entries()) {
    const object = random.pick(['Orders', 'Customers'] as const)
    const kind = random.pick(['column', 'computed', 'dimension', 'measure', 'metric', 'segment'] as const)
    const column = { dataObject: object, column: name }
    dataObjects[object].columns[name] =
      kind === 'computed'
        ? { expression: '{Id} + 1', abstractType: 'int' }
        : { code: `h${i}`, abstractType: 'int', primaryKey: false }
    hide.push(`${object}.${name}`)
    if (kind === 'column') {
      dataObjects[object].columns[`Place by ${name}`] = { window: { function: 'row_number', orderBy: [name] } }
      dimensions[`Place by ${name}`] = { dataObject: object, column: `Place by ${name}` }
    }
    if (kind === 'dimension' || kind === 'segment') dimensions[`${name} Group`] = { ...column, synonyms: ['secretive'] }
    if (kind === 'measure' || kind === 'metric')
      measures[`${name} Sum`] = { columns: [column], aggregation: random.pick(['sum', 'max']) }
    if (kind === 'dimension')
      document.views[`Night ${name}`] = {
        description: 'secretive',
        fields: desk,
        where: [{ field: `${name} Group`, op: '>', value: 0 }],
      }
    if (kind === 'measure') desk.push(`${name} Sum`)
    if (kind === 'metric') metrics[`${name} per Order`] = { expression: `{[${name} Sum]} / {[Orders Count]}` }
    if (kind === 'segment') document.segments[`High ${name}`] = { filters: [{ field: `${name} Group`, op: '>', value: 1 }] }
    if (kind === 'dimension')
      document.examples.push({ name: `by ${name}`, query: { select: { dimensions: [`${name} Group`], measures: ['Revenue'] } } })
  }
  access.fields = [{ hide, publish: Object.keys(KEPT), unless: ['admin'] }]
  return { model: JSON.stringify(document), tables: tablesOf(random), hidden: names }
}

/** The rows of the shop; only the columns `h…` differ. */
function tablesOf(random: ReturnType<typeof randomFrom>): readonly string[] {
  const hidden = HIDDEN_NAMES.map((_, i) => `h${i}`).join(', ')
  const values = () => HIDDEN_NAMES.map(() => random.pick(['0', '7', '-1', '2147483647', 'NULL'])).join(', ')
  return [
    "CREATE TABLE regions AS SELECT * FROM (VALUES ('North'), ('South')) AS t(name)",
    `CREATE TABLE customers AS SELECT * FROM (VALUES (1, 'Ann & Co', 'North', '101', ${values()}), (2, 'Bob Ltd', 'South', '12', ${values()}), (3, 'Lost', NULL, '7', ${values()})) AS t(id, name, region, zip, ${hidden})`,
    `CREATE TABLE orders AS SELECT * FROM (VALUES (1, 1, 2, 10, 3, ${values()}), (2, 2, 1, 100, 4, ${values()}), (5, 1, 1, 20, 5, ${values()})) AS t(id, customer_id, referrer_id, amount, kept, ${hidden})`,
    'CREATE TABLE products AS SELECT 1 AS id',
  ]
}
