// Packs every published package, installs the tarballs into an empty folder and asks the server that starts there for its health.
// Needs `npm run build` first.
import { execFileSync, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const START_DEADLINE_MS = 30_000

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const stage = await mkdtemp(path.join(os.tmpdir(), 'grainline-packed-'))
try {
  const tarballs = await pack(path.join(stage, 'tarballs'))
  const app = path.join(stage, 'app')
  await mkdir(app)
  await writeFile(path.join(app, 'package.json'), '{ "name": "empty", "private": true }\n')
  npm(['install', '--no-audit', '--no-fund', ...tarballs], app)
  await serve(app)
} finally {
  await rm(stage, { recursive: true, force: true })
}

async function pack(folder) {
  await mkdir(folder)
  npm(['pack', '--silent', '--pack-destination', folder, '--workspace', 'core'], root)
  for (const plugin of await readdir(path.join(root, 'plugins'))) {
    npm(['pack', '--silent', '--pack-destination', folder, '--workspace', `plugins/${plugin}`], root)
  }
  npm(['pack', '--silent', '--pack-destination', folder], root)
  return (await readdir(folder)).map((file) => path.join(folder, file))
}

async function serve(app) {
  const port = await freePort()
  const started = performance.now()
  const bin = path.join(app, 'node_modules/.bin/grainline')
  const server = spawn(bin, ['serve'], {
    cwd: app,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  try {
    const health = await firstAnswer(`http://localhost:${port}/health`, server)
    if (health.status !== 'ok') throw new Error(`/health answered ${JSON.stringify(health)}`)
    console.log(`grainline ${health.version} answered /health after ${Math.round(performance.now() - started)} ms`)
  } finally {
    server.kill('SIGTERM')
  }
}

async function firstAnswer(url, server) {
  const deadline = performance.now() + START_DEADLINE_MS
  while (performance.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`grainline serve ended with code ${server.exitCode}`)
    try {
      return await (await fetch(url)).json()
    } catch {
      await sleep(20)
    }
  }
  throw new Error(`${url} did not answer within ${START_DEADLINE_MS} ms`)
}

function npm(args, cwd) {
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}

function freePort() {
  return new Promise((resolve) => {
    const probe = net.createServer().listen(0, () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}
