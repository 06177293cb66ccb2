/** A Flight SQL server over DuckDB in a separate process; Dremio itself is not available. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { flight } from '@grainline/flight-sql'
import { Client, credentials, Metadata } from '@grpc/grpc-js'
import { selfSigned } from '../../host/certificate.js'
// The environment of fakesnow contains pyarrow and DuckDB, too.
import { python } from '../snowflake/engine.js'

export interface Server {
  readonly port: number
  /** The texts of the running statements. */
  readonly running: () => Promise<readonly string[]>
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

export async function startServer(): Promise<Server | string> {
  if (!existsSync(python)) return 'pyarrow is not installed here: run test/interop/snowflake/install.sh'
  let { child, port } = await run(0)
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  return {
    port,
    running: () => told(port),
    kill,
    async start() {
      ;({ child, port } = await run(port))
    },
    stop: kill,
  }
}

export interface TlsServer {
  readonly port: number
  /** The file of its authority, which is the certificate itself. */
  readonly ca: string
  readonly stop: () => void
}

export async function startTlsServer(): Promise<TlsServer | string> {
  if (!existsSync(python)) return 'pyarrow is not installed here: run test/interop/snowflake/install.sh'
  const folder = mkdtempSync('/tmp/grainline-flight-')
  const [key, ca] = ['key.pem', 'cert.pem'].map((name) => path.join(folder, name)) as [string, string]
  const made = selfSigned()
  writeFileSync(key, made.key)
  writeFileSync(ca, made.cert)
  const { child, port } = await run(0, [ca, key])
  return {
    port,
    ca,
    stop() {
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function run(
  wanted: number,
  tls: readonly string[] = [],
): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const child = spawn(python, [new URL('flight_server.py', import.meta.url).pathname, String(wanted), ...tls], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [printed] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, port: Number(printed) }
}

function told(port: number): Promise<readonly string[]> {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure())
  const metadata = new Metadata()
  metadata.set('authorization', 'Bearer a-personal-access-token')
  const call = client.makeServerStreamRequest(
    `/${flight.FLIGHT_SERVICE}/DoAction`,
    flight.action.encode,
    flight.actionResult.decode,
    { type: 'running' },
    metadata,
  )
  return new Promise((resolve, reject) => {
    call.on('data', ({ body }: flight.ActionResult) => resolve(JSON.parse(String(body)) as string[]))
    call.on('error', reject)
    call.on('end', () => client.close())
  })
}
