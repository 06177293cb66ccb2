/**
 * The Thrift server of Spark behind a proxy that requires TLS and a token, like a warehouse. Messages that the driver sends only to
 * Databricks, and that an older protocol lacks, are translated here: the vendor does not know about it.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer as createSocket } from 'node:net'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { missingClient } from '../missing-client.js'
import { javaArgs, missingSpark } from './spark.js'

export interface Server {
  readonly port: number
  /** The certificate of its authority. */
  readonly ca: string
  /** The running statements, as the server itself lists them. */
  readonly running: () => Promise<readonly string[]>
  /** Kills the process. */
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

export const TOKEN = 'dapi0123456789'

export async function startServer(): Promise<Server | string> {
  const missing = missingSpark() ?? missingClient('@databricks/sql')
  if (missing !== undefined) return missing
  speakOldProtocol()
  const folder = mkdtempSync('/tmp/grainline-databricks-')
  const ca = path.join(folder, 'ca.pem')
  const key = path.join(folder, 'key.pem')
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', ca, ...subject],
    {
      stdio: 'ignore',
    },
  )
  const [inner, ui] = [await freePort(), await freePort()]
  const door = createServer({ cert: readFileSync(ca), key: readFileSync(key) }, (incoming, outgoing) =>
    forward(incoming, outgoing, inner),
  )
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  let child: ChildProcess | undefined
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child!.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }
  const start = async (): Promise<void> => {
    child = run(folder, inner, ui)
    for (let tries = 0; tries < 1200; tries++) {
      if (await answers(inner)) return
      await wait(100)
    }
    throw new Error('the Thrift server does not answer')
  }
  await start()
  return {
    port: (door.address() as AddressInfo).port,
    ca,
    running: () => runningOn(ui),
    kill,
    start,
    async stop() {
      door.closeAllConnections()
      door.close()
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function run(folder: string, port: number, ui: number): ChildProcess {
  const settings = {
    'spark.master': 'local[3]',
    'spark.app.name': 'grainline',
    'spark.ui.port': String(ui),
    'spark.driver.host': '127.0.0.1',
    'spark.driver.bindAddress': '127.0.0.1',
    'spark.sql.shuffle.partitions': '1',
    'spark.sql.timeType.enabled': 'true',
    // Rows are sent while they are computed, as by a warehouse.
    'spark.sql.thriftServer.incrementalCollect': 'true',
    'spark.sql.warehouse.dir': path.join(folder, 'warehouse'),
    'derby.system.home': folder,
  }
  const hive = {
    'hive.server2.transport.mode': 'http',
    'hive.server2.thrift.http.port': String(port),
    'hive.server2.thrift.http.path': 'cliservice',
    'hive.server2.thrift.bind.host': '127.0.0.1',
    'hive.server2.authentication': 'NONE',
  }
  const args = [
    ...Object.entries(settings).map(([name, value]) => `-D${name}=${value}`),
    ...javaArgs('org.apache.spark.sql.hive.thriftserver.HiveThriftServer2'),
    ...Object.entries(hive).flatMap(([name, value]) => ['--hiveconf', `${name}=${value}`]),
  ]
  return spawn('java', args, { cwd: folder, stdio: 'ignore' })
}

/** A token becomes the user name of the server; other tokens are refused. */
function forward(incoming: IncomingMessage, outgoing: ServerResponse, port: number): void {
  if (incoming.headers.authorization !== `Bearer ${TOKEN}`) return void outgoing.writeHead(403).end()
  const authorization = `Basic ${Buffer.from('grainline:x').toString('base64')}`
  const { host: _, ...headers } = incoming.headers
  const passed = request(
    { port, host: '127.0.0.1', method: 'POST', path: '/cliservice', headers: { ...headers, authorization } },
    (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
      answer.once('error', () => outgoing.destroy())
    },
  )
  passed.once('error', () => outgoing.destroy())
  incoming.pipe(passed)
}

async function answers(port: number): Promise<boolean> {
  const found = await fetch(`http://127.0.0.1:${port}/cliservice`, { method: 'POST' }).catch(() => undefined)
  await found?.arrayBuffer()
  return found !== undefined
}

/** Jobs are listed with their statement. */
async function runningOn(ui: number): Promise<readonly string[]> {
  const api = `http://127.0.0.1:${ui}/api/v1/applications`
  const [{ id }] = (await (await fetch(api)).json()) as [{ readonly id: string }]
  const jobs = (await (await fetch(`${api}/${id}/jobs?status=running`)).json()) as readonly { readonly description?: string }[]
  return jobs.map(({ description = '' }) => description)
}

async function freePort(): Promise<number> {
  const socket = createSocket()
  await new Promise<void>((resolve) => socket.listen(0, '127.0.0.1', resolve))
  const { port } = socket.address() as AddressInfo
  await new Promise((resolve) => socket.close(resolve))
  return port
}

interface Wire {
  openSession(asked: { client_protocol?: number }): Promise<object>
  getResultSetMetadata(asked: object): Promise<{ resultFormat?: number; schema?: { columns?: { position: number }[] } }>
}

/** The version of the protocol is that of Hive, answers are columns, and positions count from 0. */
function speakOldProtocol(): void {
  const load = createRequire(import.meta.url)
  const { default: HiveDriver } = load('@databricks/sql/dist/hive/HiveDriver.js') as { default: { prototype: Wire } }
  const types = load('@databricks/sql/thrift/TCLIService_types.js') as {
    TProtocolVersion: Record<string, number>
    TSparkRowSetType: Record<string, number>
  }
  const { openSession, getResultSetMetadata } = HiveDriver.prototype
  HiveDriver.prototype.openSession = function (asked) {
    asked.client_protocol = types.TProtocolVersion['HIVE_CLI_SERVICE_PROTOCOL_V8']!
    return openSession.call(this, asked)
  }
  HiveDriver.prototype.getResultSetMetadata = async function (asked) {
    const told = await getResultSetMetadata.call(this, asked)
    told.resultFormat ??= types.TSparkRowSetType['COLUMN_BASED_SET']!
    for (const column of told.schema?.columns ?? []) column.position++
    return told
  }
}
