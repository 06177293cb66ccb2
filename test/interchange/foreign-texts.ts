/** What the tests of a format begin with: its texts, and the models that they are imported as. */
import { readFileSync } from 'node:fs'
import type { Imported, Importer, Loss } from '@grainline/core'

/** The text of a file beside the tests. */
export const textOf = (file: string): string =>
  readFileSync(new URL(`./test/interchange/${file}`, `file://${process.cwd()}/`), 'utf8')

/** Reads a text that has no fault. */
export const readBy =
  (importer: Importer) =>
  async (text: string): Promise<Imported> => {
    const read = await importer.read({ text })
    if ('faults' in read) throw new Error(JSON.stringify(read.faults))
    return read
  }

/** A part of the document by its path; a missing one is undefined. */
export const at = ({ document }: Imported, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string | number, unknown> | undefined)?.[key], document)

export const refusals = ({ losses }: Imported): readonly Loss[] => losses.filter(({ kind }) => kind === 'refused')

/** The text with another part, which it must have. */
export const changedIn =
  (text: string) =>
  (from: string, to: string): string => {
    if (!text.includes(from)) throw new Error(`the model has no '${from}'`)
    return text.replace(from, () => to)
  }

/** The rows of the shop that models of several formats describe. */
export const SHOP_ROWS = `
  ATTACH ':memory:' AS shop; USE shop;
  CREATE TABLE customers (customer_id INTEGER, region VARCHAR, customer_name VARCHAR, "City" VARCHAR);
  INSERT INTO customers VALUES (1, 'north', 'Ada', 'Oslo'), (2, 'south', 'Bob', 'Rome'), (3, NULL, 'Cy', 'Bern'), (4, 'north', 'Di', 'Oslo');
  CREATE TABLE orders (order_id INTEGER, customer_id INTEGER, channel VARCHAR, ordered_on TIMESTAMP, amount DECIMAL(18, 2));
  INSERT INTO orders VALUES (1, 1, 'web', '2026-01-03', 120), (2, 1, 'shop', '2026-01-20', 30.5), (3, 2, 'web', '2026-02-01', 99.99),
    (4, 9, 'shop', '2026-02-11', 250), (5, 3, NULL, '2026-04-01', 10), (6, 2, 'web', '2026-04-01', NULL), (7, 2, 'web', '2026-05-31', 7.25);
  CREATE TABLE lines (line_id INTEGER, order_id INTEGER, product VARCHAR, quantity INTEGER);
  INSERT INTO lines VALUES (1, 1, 'pen', 2), (2, 1, 'ink', 1), (3, 2, 'pen', 5), (4, 3, 'pen', 1), (5, 5, 'ink', 4), (6, 7, 'ink', 3)`
