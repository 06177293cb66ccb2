import { loadDriver } from '@grainline/core/vendor'

/** The used part of `snowflake-sdk`, which is an optional install. */
export interface Driver {
  configure(options: { readonly logLevel: 'OFF'; readonly additionalLogToConsole: false }): void
  createConnection(options: Readonly<Record<string, unknown>>): Connection
}

export interface Connection {
  connectAsync(): Promise<unknown>
  isUp(): boolean
  execute(request: Request): Statement
  destroy(done: (error: unknown) => void): void
}

interface Request {
  readonly sqlText: string
  readonly streamResult: true
  readonly parameters: Readonly<Record<string, unknown>>
  readonly complete: (error: unknown, statement: Statement) => void
}

export interface Statement {
  getColumns(): readonly Column[] | undefined
  streamRows(): Rows
  cancel(done: (error: unknown) => void): void
}

export interface Rows extends AsyncIterable<readonly unknown[]> {
  destroy(error: unknown): void
}

interface Column {
  getName(): string
  getType(): string
}

/** The form in which the driver returns an instant or a day. */
export interface SnowflakeDate {
  getEpochSeconds(): number
  getNanoSeconds(): number
}

const PACKAGE: string = 'snowflake-sdk'

export const loadSnowflake = (): Promise<Driver> =>
  loadDriver('Snowflake', PACKAGE, async () => {
    const loaded = await import(PACKAGE)
    return loaded.default ?? loaded
  })
