/** A shop whose database has no constraints: its tables, its actual joins, and queries on a first model. */
import { readFileSync } from 'node:fs'

export interface Model {
  readonly dataObjects: Record<
    string,
    { code: string; columns: Record<string, { code: string }>; joins?: { joinTo: string; columnsFrom: string[] }[] }
  >
  readonly dimensions: Record<string, { timeGrain?: string }>
  readonly measures: Record<string, { aggregation: string }>
}

export const commerce = {
  name: 'shop',
  sql: readFileSync(new URL('../corpus/data.sql', import.meta.url), 'utf8'),
  joins: [
    'customers.region_id → regions',
    'loyalty.customer_id → customers',
    'order items.order → orders',
    'order items.product_id → products',
    'orders.billing_id → addresses',
    'orders.customer_id → customers',
    'orders.shipping_id → addresses',
    'orders.store_id → stores',
    'payments.order_id → orders',
    'price_list.product_id → products',
    'product_tags.product_id → products',
    'product_tags.tag_id → tags',
    'products.category_id → categories',
    'promotions.category_id → categories',
    'returns.customer_id → customers',
    'returns.product_id → products',
    'shipments.store_id → stores',
    'stores.region_id → regions',
    'visits.customer_id → customers',
  ],
  sums: [] as readonly string[],
  questions: [
    { dimensions: ['Customer'], measures: ['Orders Count', 'Return Amount'] },
    { dimensions: ['Customer Region'], measures: ['Freight'] },
    { dimensions: ['Store Region'], measures: ['Shipment Cost'] },
    { dimensions: ['Product'], measures: ['Qty', 'Average Unit Price'] },
    { dimensions: ['Category'], measures: ['Qty', 'Return Amount'] },
    { dimensions: ['Ordered Month'], measures: ['Orders Count'] },
    { dimensions: ['Method'], measures: ['Payment Amount'] },
    { dimensions: ['Tag'], measures: ['Products Count'] },
    { dimensions: ['Shipping Address City'], measures: ['Freight'] },
    { dimensions: ['Started At'], measures: ['Seconds'] },
  ],
}

/** `orders.customer_id → customers` for every join. */
export function joinsOf({ dataObjects }: Model): string[] {
  const found = Object.values(dataObjects).flatMap(({ code, columns, joins = [] }) =>
    joins.map(
      ({ joinTo, columnsFrom }) =>
        `${code}.${columnsFrom.map((column) => columns[column]!.code).join('+')} → ${dataObjects[joinTo]!.code}`,
    ),
  )
  return [...new Set(found)].toSorted()
}
