import { loadDriver } from '@grainline/core/vendor'

/** The used part of `@google-cloud/bigquery`, which is an optional install. */
export interface Driver {
  readonly BigQuery: new (options: Readonly<Record<string, unknown>>) => Client
}

export interface Client {
  createQueryJob(query: Readonly<Record<string, unknown>>): Promise<readonly [Job, ...unknown[]]>
  /** A request to the REST interface, with the credentials of the client. */
  request(request: Request, done: (error: unknown, body: ResultPage) => void): void
}

interface Request {
  readonly uri: string
  readonly qs: Readonly<Record<string, unknown>>
}

export interface Job {
  readonly id: string
  readonly location?: string
  readonly metadata: { readonly statistics?: Statistics }
  cancel(): Promise<unknown>
}

interface Statistics {
  readonly totalBytesProcessed?: string
  readonly query?: { readonly referencedTables?: readonly TableReference[] }
}

export interface TableReference {
  readonly projectId: string
  readonly datasetId: string
  readonly tableId: string
}

/** https://cloud.google.com/bigquery/docs/reference/rest/v2/jobs/getQueryResults#response-body */
export interface ResultPage {
  readonly jobComplete: boolean
  readonly schema?: { readonly fields: readonly Field[] }
  readonly rows?: readonly { readonly f: readonly { readonly v: unknown }[] }[]
  readonly pageToken?: string
}

interface Field {
  readonly name: string
  readonly type: string
  readonly mode?: string
}

const PACKAGE: string = '@google-cloud/bigquery'

export const loadBigquery = (): Promise<Driver> =>
  loadDriver('BigQuery', `${PACKAGE}@8`, async () => {
    const loaded = await import(PACKAGE)
    return loaded.default ?? loaded
  })
