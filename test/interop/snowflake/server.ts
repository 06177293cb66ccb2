/** fakesnow over HTTP with the protocol of the Node driver, in a separate process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { python } from './engine.js'

export interface Server {
  readonly url: string
  /** The texts of the running statements. */
  readonly running: () => Promise<readonly string[]>
  /** Kills the process. */
  readonly kill: () => Promise<void>
  /** Starts another process on the same port. */
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

export async function startServer(): Promise<Server | string> {
  if (!existsSync(python)) return 'fakesnow is not installed here: run test/interop/snowflake/install.sh'
  let { child, port } = await run('0')
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    running: async () => (await (await fetch(`${url}/running`)).json()) as string[],
    kill,
    async start() {
      ;({ child } = await run(port))
    },
    stop: kill,
  }
}

async function run(wanted: string): Promise<{ readonly child: ChildProcess; readonly port: string }> {
  const child = spawn(python, [new URL('fakesnow_http.py', import.meta.url).pathname, wanted], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [printed] = (await once(child.stdout, 'data')) as [Buffer]
  const port = String(printed).trim()
  for (let tries = 0; tries < 100; tries++) {
    if (await fetch(`http://127.0.0.1:${port}/running`).catch(() => undefined)) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { child, port }
}
