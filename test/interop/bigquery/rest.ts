/**
 * The part of the REST API of BigQuery that its driver uses, over googlesqlite: jobs that are inserted, read page by page and cancelled.
 * Each job has a process, which ends with it. A series of integers is generated here, because googlesqlite takes a minute for a million.
 */

import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type LineServer, startLineServer } from '../line-server.js'
import { googlesqlite } from './engine.js'

interface Reply {
  readonly columns: readonly string[]
  readonly types: readonly string[]
  readonly rows?: readonly (readonly unknown[])[]
}

interface Field {
  readonly name: string
  readonly type: string
}

/** The result of a statement: its rows are computed as they are read. */
interface Answer {
  readonly fields: readonly Field[]
  readonly total: number
  readonly row: (index: number) => readonly unknown[]
}

interface Job {
  readonly configuration: { readonly query: JobQuery; readonly labels?: object; readonly jobTimeoutMs?: string }
  readonly done: Promise<void>
  answer?: Answer
  error?: Fault
  end: (fault: Fault) => void
}

interface JobQuery {
  readonly query: string
  readonly maximumBytesBilled?: string
  readonly connectionProperties?: readonly { readonly key: string; readonly value: string }[]
}

interface Fault {
  readonly code: number
  readonly reason: string
  readonly message: string
}

export interface Server {
  readonly url: string
  /** The inserted jobs, in order. */
  readonly jobs: readonly Job['configuration'][]
  /** The texts of the statements that run. */
  readonly running: () => readonly string[]
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** The table that every statement here reads. */
const BYTES = 1_000_000
const COUNTED = /^SELECT n FROM UNNEST\(GENERATE_ARRAY\(0, (\d+)\)\) AS n ORDER BY n$/

export async function startServer(): Promise<Server | string> {
  if (!existsSync(googlesqlite)) return 'googlesqlite is not built here: run test/interop/bigquery/install.sh'
  const jobs = new Map<string, Job>()
  const seen: Job['configuration'][] = []
  let server = createServer()
  let port = 0
  const start = async (): Promise<void> => {
    server = createServer((incoming, outgoing) => {
      respond(incoming, outgoing, jobs, seen).catch(() => outgoing.destroy())
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  }
  const kill = async (): Promise<void> => {
    for (const job of jobs.values()) job.end({ code: 499, reason: 'stopped', message: 'gone' })
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  await start()
  return {
    url: `http://127.0.0.1:${port}`,
    jobs: seen,
    running: () =>
      [...jobs.values()].filter(({ answer, error }) => !answer && !error).map((job) => job.configuration.query.query),
    start,
    kill,
    stop: kill,
  }
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  jobs: Map<string, Job>,
  seen: Job['configuration'][],
): Promise<void> {
  const url = new URL(incoming.url ?? '/', 'http://bigquery')
  const [, , , , project, kind, id, verb] = url.pathname.split('/')
  const send = (body: object, status = 200) =>
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const refuse = ({ code, reason, message }: Fault) => send({ error: { code, message, errors: [{ reason, message }] } }, code)
  const reference = (jobId: string) => ({ projectId: project, jobId, location: 'EU' })

  if (incoming.method === 'POST' && kind === 'jobs' && id === undefined) {
    const { configuration, jobReference } = JSON.parse(await bodyOf(incoming))
    seen.push(configuration)
    const statistics = {
      totalBytesProcessed: String(BYTES),
      query: { referencedTables: [{ projectId: project, datasetId: 'shop', tableId: 'orders' }] },
    }
    if (configuration.dryRun === true) {
      const fault = await analysed(configuration.query.query)
      return void (fault
        ? refuse(fault)
        : send({ jobReference: reference(jobReference.jobId), status: { state: 'DONE' }, statistics }))
    }
    jobs.set(jobReference.jobId, startJob(configuration))
    return void send({ jobReference: reference(jobReference.jobId), status: { state: 'RUNNING' }, statistics })
  }
  const job = jobs.get(id ?? '')
  if (!job) return void refuse({ code: 404, reason: 'notFound', message: `Not found: Job ${id}` })
  if (verb === 'cancel') {
    job.end({ code: 400, reason: 'stopped', message: 'Job execution was cancelled: User requested cancellation' })
    return void send({ job: { jobReference: reference(id!) } })
  }
  await Promise.race([job.done, wait(Number(url.searchParams.get('timeoutMs') ?? 10_000))])
  if (job.error) return void refuse(job.error)
  send({ jobReference: reference(id!), ...pageOf(job.answer, url.searchParams) })
}

function pageOf(answer: Answer | undefined, asked: URLSearchParams): object {
  if (!answer) return { jobComplete: false }
  const from = Number(asked.get('pageToken') ?? 0)
  const to = Math.min(answer.total, from + Number(asked.get('maxResults')))
  const rows = Array.from({ length: to - from }, (_, i) => ({ f: answer.row(from + i).map((v) => ({ v })) }))
  return {
    jobComplete: true,
    schema: { fields: answer.fields.map((field) => ({ ...field, mode: 'NULLABLE' })) },
    totalRows: String(answer.total),
    ...(rows.length > 0 && { rows }),
    ...(to < answer.total && { pageToken: String(to) }),
  }
}

function startJob(configuration: Job['configuration']): Job {
  const { query, maximumBytesBilled } = configuration.query
  let settle = (): void => {}
  let engine: LineServer<Reply> | undefined
  let timer: NodeJS.Timeout | undefined
  const finish = (result: { readonly answer: Answer } | { readonly error: Fault }): void => {
    if (job.answer || job.error) return
    Object.assign(job, result)
    clearTimeout(timer)
    engine?.stop()
    settle()
  }
  const job: Job = {
    configuration,
    done: new Promise<void>((resolve) => {
      settle = resolve
    }),
    end: (error) => finish({ error }),
  }
  if (maximumBytesBilled !== undefined && Number(maximumBytesBilled) < BYTES) {
    finish({ error: invalid(`Query exceeded limit for bytes billed: ${maximumBytesBilled}. ${BYTES} or higher required.`) })
    return job
  }
  const counted = COUNTED.exec(query)
  if (counted) {
    finish({
      answer: { fields: [{ name: 'n', type: 'INTEGER' }], total: Number(counted[1]) + 1, row: (index) => [String(index)] },
    })
    return job
  }
  if (query === 'SELECT @@time_zone') {
    const zone = configuration.query.connectionProperties?.find(({ key }) => key === 'time_zone')?.value ?? 'not said'
    finish({ answer: { fields: [{ name: 'zone', type: 'STRING' }], total: 1, row: () => [zone] } })
    return job
  }
  engine = startLineServer<Reply>(googlesqlite, [])
  if (configuration.jobTimeoutMs !== undefined)
    timer = setTimeout(
      () => job.end({ code: 400, reason: 'stopped', message: 'Job execution was cancelled: Job timed out' }),
      Number(configuration.jobTimeoutMs),
    )
  engine.ask({ sql: query }).then(
    (reply) => finish({ answer: answerOf(reply) }),
    (error: Error) => finish({ error: invalid(error.message) }),
  )
  return job
}

const invalid = (message: string): Fault => ({ code: 400, reason: 'invalidQuery', message })

async function analysed(sql: string): Promise<Fault | undefined> {
  const engine = startLineServer<Reply>(googlesqlite, [])
  try {
    await engine.ask({ sql, analyse: true })
    return undefined
  } catch (error) {
    return invalid((error as Error).message)
  } finally {
    await engine.stop()
  }
}

/** The type names of the API, and its text form of values. */
const NAMES: Readonly<Record<string, string>> = { INT64: 'INTEGER', DOUBLE: 'FLOAT', BOOL: 'BOOLEAN' }

function answerOf({ columns, types, rows = [] }: Reply): Answer {
  const kinds = types.map((type) => (JSON.parse(type) as { readonly name: string }).name)
  const spelled = (value: unknown, kind: string): unknown =>
    value === null ? null : kind === 'TIMESTAMP' ? microsOf(String(value)) : String(value)
  return {
    fields: columns.map((name, i) => ({ name, type: NAMES[kinds[i]!] ?? kinds[i]! })),
    total: rows.length,
    row: (index) => rows[index]!.map((value, i) => spelled(value, kinds[i]!)),
  }
}

/** `2024-02-29 10:00:00.5+00` in microseconds, as `formatOptions.useInt64Timestamp` requests. */
function microsOf(text: string): string {
  const [, seconds, digits = ''] = /^([^.]*?)(?:\.(\d+))?(?:\+00(?::00)?|Z)$/.exec(text)!
  return String(BigInt(Date.parse(`${seconds!.replace(' ', 'T')}Z`)) * 1000n + BigInt(digits.padEnd(6, '0').slice(0, 6)))
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
