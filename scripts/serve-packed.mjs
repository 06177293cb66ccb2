import { spawn } from 'node:child_process'
import path from 'node:path'

const START_DEADLINE_MS = 30_000

/** Starts the server that is installed in the folder, asks it for its health at the address that its line READY names, and ends it. */
export async function servePacked(app, env = {}, args = ['serve']) {
  const started = performance.now()
  const bin = path.join(app, 'node_modules/.bin/grainline')
  const server = spawn(bin, args, {
    cwd: app,
    env: { ...process.env, ...env, PORT: '0' },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  const deadline = setTimeout(() => server.kill('SIGKILL'), START_DEADLINE_MS)
  try {
    const url = await readyAddress(server.stderr)
    const took = Math.round(performance.now() - started)
    const health = await (await fetch(`${url}/health`)).json()
    if (health.status !== 'ok') throw new Error(`/health answered ${JSON.stringify(health)}`)
    console.log(`grainline ${health.version} was ready after ${took} ms`)
  } finally {
    clearTimeout(deadline)
    server.kill('SIGTERM')
  }
}

async function readyAddress(stderr) {
  let said = ''
  for await (const text of stderr.setEncoding('utf8')) {
    said += text
    const [, address] = /^READY (http\S+)$/m.exec(said) ?? []
    if (address !== undefined) return address
  }
  throw new Error(`grainline serve ended, or was not ready within ${START_DEADLINE_MS} ms: ${said}`)
}
