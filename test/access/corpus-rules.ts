/** Policies on the model of the corpus, and what they leave of its data. */
import { duckdb } from '@grainline/dialect-duckdb'
import { GrainlineError } from '../../core/src/errors.js'
import { restrictedModel } from '../../core/src/model/access.js'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import { compileFor } from '../corpus/corpus.js'
import { type Answer, ask } from '../support/answers.js'

export type Connection = Parameters<typeof ask>[0]

export interface Rule {
  readonly object: string
  readonly column: string
  readonly operator: 'in' | 'lte'
  readonly values: readonly (string | number)[]
  /** By table, which of its rows are left. */
  readonly left: Readonly<Record<string, string>>
}

const ORDERED = '"order" IN (SELECT id FROM left_orders)'
const PAID = 'order_id IN (SELECT id FROM left_orders)'
export const RULES: Readonly<Record<string, Rule>> = {
  'a status of orders': {
    ...{ object: 'Orders', column: 'Status', operator: 'in', values: ['paid', 'shipped'] },
    left: { orders: "status IN ('paid', 'shipped')", 'order items': ORDERED, payments: PAID },
  },
  'some customers': {
    ...{ object: 'Customers', column: 'Id', operator: 'lte', values: [3] },
    left: {
      customers: 'id <= 3',
      loyalty: 'customer_id <= 3',
      orders: 'customer_id <= 3',
      'order items': ORDERED,
      payments: PAID,
      returns: 'customer_id <= 3',
      visits: 'customer_id <= 3',
    },
  },
  'a region, to which orders have two ways': {
    ...{ object: 'Regions', column: 'Name', operator: 'in', values: ['South'] },
    left: {
      regions: 'id = 2',
      customers: 'region_id = 2',
      stores: 'region_id = 2',
      loyalty: 'customer_id IN (3, 7)',
      orders: 'customer_id IN (3, 7) AND store_id IN (2, 3)',
      'order items': ORDERED,
      payments: PAID,
      returns: 'customer_id IN (3, 7)',
      visits: 'customer_id IN (3, 7)',
      shipments: 'store_id IN (2, 3)',
    },
  },
}

/** A table of the orders that are left, which other conditions read. */
export const leftOrders = ({ left }: Rule): string =>
  `CREATE TEMP TABLE left_orders AS SELECT id FROM orders WHERE ${left['orders'] ?? 'TRUE'}`

export function boundBy({ object, column, operator, values }: Rule, open: SemanticModel): SemanticModel {
  const leaf = {
    kind: 'leaf' as const,
    column: { kind: 'column' as const, object, column },
    operator,
    values: [...values],
    path: '',
  }
  return restrictedModel(open, {
    rows: [{ label: '', dataObject: object, condition: leaf as never }],
    missing: [],
    withholdsSql: true,
  })
}

/** The statement; `undefined` if there is none. */
export function compiled(query: object, model: SemanticModel): string | undefined {
  try {
    return compileFor(duckdb, query, model).sql
  } catch (error) {
    if (error instanceof GrainlineError) return undefined
    throw error
  }
}

export const said = (connection: Connection, sql: string): Promise<Answer | string> =>
  ask(connection, sql).catch((error: Error) => error.message)
