import { loadDriver } from '@grainline/core/vendor'

/** The used part of `@databricks/sql`, which is an optional install. */
export interface Driver {
  readonly DBSQLClient: new (options: { readonly logger: { log(): void } }) => Client
}

export interface Client {
  connect(options: Readonly<Record<string, unknown>>): Promise<unknown>
  openSession(options: { readonly initialCatalog?: string; readonly initialSchema?: string }): Promise<Session>
  close(): Promise<void>
}

export interface Session {
  executeStatement(sql: string, options: Readonly<Record<string, unknown>>): Promise<Operation>
}

export interface Operation {
  /** Objects with the names of the columns, in their order. */
  fetchChunk(options: { readonly maxRows: number; readonly disableBuffering: true }): Promise<readonly object[]>
  hasMoreRows(): Promise<boolean>
  cancel(): Promise<unknown>
  close(): Promise<unknown>
}

const PACKAGE: string = '@databricks/sql'

export const loadDatabricks = (): Promise<Driver> =>
  loadDriver('Databricks', PACKAGE, async () => {
    const loaded = await import(PACKAGE)
    return loaded.default ?? loaded
  })
