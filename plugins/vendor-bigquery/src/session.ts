import type { ArrivedColumn, RowSession, TextRow } from '@grainline/core/vendor'
import type { Client, Driver, Job, ResultPage, TableReference } from './driver.js'
import type { BigqueryPlan } from './options.js'

/** Maximum number of rows of a page; BigQuery sends fewer if they are long. */
const PAGE = 10_000
/** How long the interface may wait before it answers that a job still runs. */
const POLL_MS = 10_000
/** GoogleSQL has no such statement: a text with this prefix is a dry-run job, which returns its cost. */
export const EXPLAIN = 'EXPLAIN'

/** One place of the pool: the API keeps no state between two jobs. */
export function openSession(plan: BigqueryPlan, { BigQuery }: Driver): RowSession {
  const client = new BigQuery({ ...plan.client, ...given({ projectId: plan.address.projectId }), maxRetries: 1 })
  const gone = new AbortController()
  let starting: Promise<Job> | undefined

  async function start(query: string, more: object = {}): Promise<Job> {
    starting = client.createQueryJob({ ...jobOf(plan), query, ...more }).then(([job]) => job)
    return unlessGone(starting, gone.signal)
  }

  async function* rows(
    sql: string,
    announce: (columns: readonly ArrivedColumn[]) => void,
  ): AsyncGenerator<readonly TextRow[], void> {
    try {
      if (sql.startsWith(`${EXPLAIN} `)) {
        const job = await start(sql.slice(EXPLAIN.length), { dryRun: true })
        announce([{ name: 'plan', type: 'STRING' }])
        return yield [[costOf(job)]]
      }
      const job = await start(sql)
      let announced = false
      for await (const page of pagesOf(client, job, gone.signal)) {
        // The job is finished: nothing needs to be stopped.
        starting = undefined
        if (!announced) announce((page.schema?.fields ?? []).map(({ name, type, mode }) => ({ name, type: typeOf(type, mode) })))
        announced = true
        if (page.rows !== undefined && page.rows.length > 0) yield page.rows.map(({ f }) => f.map(({ v }) => textOf(v)))
      }
    } finally {
      starting = undefined
    }
  }

  return {
    rows,
    async cancel() {
      await (await starting)?.cancel()
    },
    get usable() {
      return !gone.signal.aborted
    },
    destroy: () => gone.abort(new Error('The connection was given up')),
    close: async () => gone.abort(new Error('The connection is closed')),
  }
}

/** https://cloud.google.com/bigquery/docs/reference/rest/v2/Job#JobConfigurationQuery */
const jobOf = ({ address, statementTimeoutMs, maximumBytesBilled, labels }: BigqueryPlan): object => ({
  jobPrefix: 'grainline_',
  useLegacySql: false,
  labels,
  connectionProperties: [{ key: 'time_zone', value: 'UTC' }],
  ...given({
    location: address.location,
    defaultDataset:
      address.dataset === undefined ? undefined : { datasetId: address.dataset, ...given({ projectId: address.projectId }) },
    maximumBytesBilled: maximumBytesBilled === undefined ? undefined : String(maximumBytesBilled),
    jobTimeoutMs: statementTimeoutMs,
  }),
})

const given = (options: object): object => Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))

/** One page after another, on demand. They are read directly from the REST API, so that no value is converted to a JavaScript value. */
async function* pagesOf(client: Client, job: Job, signal: AbortSignal): AsyncGenerator<ResultPage, void> {
  let pageToken: string | undefined
  do {
    const page = await pageOf(client, job, pageToken, signal)
    if (!page.jobComplete) continue
    yield page
    pageToken = page.pageToken
    if (pageToken === undefined) return
  } while (true)
}

const pageOf = (client: Client, { id, location }: Job, pageToken: string | undefined, signal: AbortSignal): Promise<ResultPage> =>
  unlessGone(
    new Promise((resolve, reject) => {
      const qs = {
        ...given({ location, pageToken }),
        maxResults: PAGE,
        timeoutMs: POLL_MS,
        'formatOptions.useInt64Timestamp': true,
      }
      client.request({ uri: `/queries/${id}`, qs }, (error, body) => (error ? reject(error) : resolve(body)))
    }),
    signal,
  )

/** The result of the promise, or a rejection with the reason of the abort. */
function unlessGone<T>(coming: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const over = () => reject(signal.reason)
    signal.addEventListener('abort', over, { once: true })
    coming.then(resolve, reject).finally(() => signal.removeEventListener('abort', over))
  })
}

const typeOf = (type: string, mode: string | undefined): string => (mode === 'REPEATED' ? `ARRAY<${type}>` : type)

const textOf = (value: unknown): string | null => (value === null || value === undefined ? null : String(value))

function costOf({ metadata: { statistics } }: Job): string {
  const tables = (statistics?.query?.referencedTables ?? []).map(nameOf)
  return `reads ${statistics?.totalBytesProcessed ?? 0} bytes${tables.length === 0 ? '' : ` of ${tables.join(', ')}`}`
}

const nameOf = ({ projectId, datasetId, tableId }: TableReference): string => `${projectId}.${datasetId}.${tableId}`
