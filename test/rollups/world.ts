/** A shop in a DuckDB file, the command that builds its rollup tables, and servers that read them. */
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { main } from '@grainline/core/cli'
import { startRest, type TestServer } from '../rest/server.js'
import { SHOP } from '../support/models.js'
import { streamsThatKeep } from '../support/streams-that-keep.js'

export const ROLLUPS = `
rollups:
  Daily: { dataObject: Orders, dimensions: [{ field: Day, grain: day }, Status], measures: [Sales, Order Count, Paid Sales] }
  Monthly: { dataObject: Orders, dimensions: [{ field: Day, grain: month }, Status], measures: [Sales] }
`

export const FACTS = `
  CREATE TABLE regions (id INT, name VARCHAR); INSERT INTO regions VALUES (1, 'North'), (2, NULL);
  CREATE TABLE customers (id INT, name VARCHAR, region_id INT); INSERT INTO customers VALUES (1, 'Ann', 1), (2, 'Bob', 2);
  CREATE TABLE orders (id INT, customer_id INT, payer_id INT, day DATE, status VARCHAR, amount INT);
  INSERT INTO orders VALUES (1, 1, 1, '2024-01-05', 'paid', 80), (2, 1, 2, '2024-01-05', 'paid', 30), (3, 2, 1, '2024-02-01', 'open', 10),
    (4, 9, NULL, '2024-02-01', NULL, 5), (5, 2, 2, NULL, 'paid', NULL), (6, 1, 1, '2024-01-20', 'paid', 7);
  CREATE TABLE items (order_id INT, line INT, product VARCHAR, quantity INT);
  CREATE TABLE returns (id INT, customer_id INT, day DATE, amount INT);`

const CONFIG = `plugins:
  - '@grainline/dialect-duckdb'
  - '@grainline/vendor-duckdb'
  - '@grainline/surface-rest'
`

/** Each data object with a contract. */
export const shopWith = (contract: string, rollups = ROLLUPS): string =>
  SHOP.replaceAll(/^ {4}code: (\w+)$/gm, `    code: $1\n    refresh: ${contract}`) + rollups

export const filesOf = (model: string) => ({ 'shop.yaml': model, 'config.yaml': CONFIG })

export class World {
  readonly file: string
  constructor(readonly folder: string) {
    this.file = path.join(folder, 'shop.duckdb')
  }

  /** Runs statements in the file, which nobody has open for writing. */
  async write(sql: string): Promise<void> {
    const instance = await DuckDBInstance.create(this.file)
    const connection = await instance.connect()
    await connection.run(sql)
    connection.closeSync()
    instance.closeSync()
  }

  load(): Promise<void> {
    return this.write(FACTS)
  }

  /** `grainline rollup …` beside the model. */
  async rollup(...args: string[]) {
    const { stdout, stderr, written } = streamsThatKeep()
    const env = { DUCKDB_DATABASE: this.file, ROLLUP_DUCKDB_URL: this.file, DB_VENDOR: 'duckdb', ROLLUPS: 'allow' }
    const code = await main(['rollup', ...args, '--config', 'config.yaml'], { stdout, stderr, cwd: this.folder, env })
    return { code, ...written() }
  }

  serve(settings: Readonly<Record<string, unknown>> = {}, file = this.file): Promise<TestServer> {
    return startRest({
      plugins: ['@grainline/dialect-duckdb', '@grainline/vendor-duckdb', '@grainline/cache-memory', '@grainline/cache-file'],
      settings: {
        ...{
          QUERY_EXECUTE: true,
          DUCKDB_DATABASE: file,
          DB_VENDOR: 'duckdb',
          ROLLUPS: 'allow',
          HEARTBEAT_AUTH_TOKEN: 'beat-beat-beat-beat',
        },
        ...settings,
      },
      preload: [{ session: 'shop', model: path.join(this.folder, 'shop.yaml') }],
    })
  }
}

export const BY_MONTH = {
  select: { dimensions: ['Day:month', 'Status'], measures: ['Sales', 'Order Count', 'Paid Sales'] },
  order_by: [{ field: 1 }, { field: 2 }],
}
