import { isNumeric } from '../../model/data-type.js'
import type { DraftColumn } from './draft.js'
import type { ModelObject } from './model-object.js'
import { titled } from './words.js'

/** A measure that is a product of columns, and why it is proposed. */
interface Proposed {
  readonly name: string
  readonly measure: object
  readonly why: string
}

const BOUGHT = new Set('purchase purchases supply supplies cost procurement stock inventory'.split(' '))
const QUANTITIES = new Set(['quantity', 'qty', 'pieces'])

/** Price times quantity, less a discount that is a part of 1. Only of a table with one of each. */
export function proposedRevenue({ label, table, row }: ModelObject, columns: readonly DraftColumn[]): Proposed | undefined {
  const numbers = columns.filter(({ type }) => type !== undefined && isNumeric(type))
  const ending = (words: ReadonlySet<string>) => numbers.filter((column) => words.has(column.words.at(-1) ?? ''))
  const [price, ...prices] = ending(new Set(['price'])).filter(({ words }) => !words.some((word) => TOTALS.has(word)))
  const [quantity, ...quantities] = ending(QUANTITIES)
  if (price === undefined || quantity === undefined || prices.length > 0 || quantities.length > 0) return undefined
  const [discount, ...discounts] = ending(new Set(['discount']))
  if (discounts.length > 0) return undefined
  const read = ({ label: column }: DraftColumn): string => `{[${label}].[${column}]}`
  const less = discount === undefined ? '' : ` * (1 - ${read(discount)})`
  const isBought = table.words.some((word) => BOUGHT.has(word))
  return {
    name: isBought ? titled([...row, 'value']) : 'Revenue',
    measure: { aggregation: 'sum', expression: `${read(price)} * ${read(quantity)}${less}` },
    why: `guessed by name: price times quantity${discount === undefined ? '' : ', less the discount as a part of 1'}`,
  }
}

const TOTALS = new Set(['extended', 'total', 'list', 'retail', 'cost'])
