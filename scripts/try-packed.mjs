// Packs every published package, installs the tarballs into an empty folder and asks the server that starts there for its health,
// after the guides to plugins were tried there.
// Needs `npm run build` first.
import { execFileSync, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { lintPacked } from './lint-packed.mjs'
import { packPackages } from './pack.mjs'
import { servePacked } from './serve-packed.mjs'
import { useCreate } from './use-create.mjs'
import { useSlim } from './use-slim.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const stage = await mkdtemp(path.join(os.tmpdir(), 'grainline-packed-'))
try {
  const tarballs = await packPackages(path.join(stage, 'tarballs'))
  await lintPacked(tarballs)
  const app = path.join(stage, 'app')
  await mkdir(app)
  await writeFile(path.join(app, 'package.json'), '{ "name": "empty", "private": true }\n')
  npm(['install', '--no-audit', '--no-fund', ...tarballs], app)
  await useCommands(app)
  await findCode(app)
  await serveEditor(app)
  timeValidate(app)
  await runGuides(app)
  await servePacked(app)
  await useCreate(app)
  await useSlim(path.join(stage, 'slim'), tarballs)
} finally {
  await rm(stage, { recursive: true, force: true })
}

/** A first model of a database of one's own, from an empty folder: made, checked and asked. */
async function useCommands(app) {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const instance = await DuckDBInstance.create(path.join(app, 'shop.duckdb'))
  const connection = await instance.connect()
  await connection.run(
    "CREATE TABLE sales AS SELECT * FROM (VALUES (1, DATE '2026-01-05', 'tea', 4.50), (2, DATE '2026-02-07', 'cup', 12.00)) t (id, sold_on, product, amount)",
  )
  connection.closeSync()
  instance.closeSync()
  const grainline = (...args) =>
    execFileSync('npx', ['grainline', ...args], {
      cwd: app,
      env: { ...process.env, DUCKDB_DATABASE: 'shop.duckdb' },
      encoding: 'utf8',
    })
  grainline('init', '--output', 'shop.yaml')
  const valid = grainline('validate', 'shop.yaml')
  if (!valid.startsWith('shop.yaml is valid')) throw new Error(valid)
  const { rows } = JSON.parse(
    grainline('execute', 'shop.yaml', '--query', '{"select":{"measures":["Sales Count"]}}', '--format', 'json'),
  )
  if (String(rows) !== '2') throw new Error(`counted ${rows}`)
}

/** Commands ran from the one file and cached its compiled code. */
async function findCode(app) {
  const files = await readdir(path.join(app, 'node_modules/grainline/dist/code'))
  if (files.length < 3) throw new Error(`${files.length} commands cached their code`)
}

/** The language server, as an editor starts it. */
async function serveEditor(app) {
  const server = spawn(path.join(app, 'node_modules/.bin/grainline'), ['lsp'], { cwd: app, stdio: ['pipe', 'pipe', 'inherit'] })
  const send = (message) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  send({ id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {} } })
  send({ id: 2, method: 'shutdown' })
  send({ method: 'exit' })
  const said = await server.stdout.setEncoding('utf8').toArray()
  if (!said.join('').includes('"completionProvider"')) throw new Error(`grainline lsp said ${said.join('')}`)
}

/** The plugins of the guides in docs/plugins, each in a folder of its own, and the tests that the guides show. */
async function runGuides(app) {
  const pages = path.join(root, 'docs/plugins')
  for (const page of await readdir(pages)) {
    const folder = path.join(app, 'guides', path.basename(page, '.md'))
    await mkdir(folder, { recursive: true })
    await writeFile(path.join(folder, 'package.json'), '{ "type": "module", "private": true }\n')
    const files = packedFiles(await readFile(path.join(pages, page), 'utf8'))
    if (!files.some(([name]) => name.endsWith('.test.js'))) throw new Error(`docs/plugins/${page} shows no test`)
    for (const [name, text] of files) await writeFile(path.join(folder, name), text)
    const tests = files.flatMap(([name]) => (name.endsWith('.test.js') ? [name] : []))
    try {
      execFileSync(process.execPath, ['--test', ...tests], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'inherit'],
        encoding: 'utf8',
      })
    } catch (error) {
      throw new Error(`docs/plugins/${page} fails:\n${error.stdout}`)
    }
    console.log(`docs/plugins/${page}: ${files.map(([name]) => name).join(', ')} ran from packed packages`)
  }
}

/** The blocks of a page that a comment before them names as files. */
function packedFiles(text) {
  return [...text.matchAll(/<!-- packed: ([\w.-]+) -->\n```\w+\n(.*?)```\n/gs)].map(([, name, code]) => [name, code])
}

/** Says how long `validate` takes beside a Node that does nothing: the best of several, since other work only adds to either. */
function timeValidate(app) {
  const best = (args) => {
    const times = Array.from({ length: 7 }, () => {
      const started = performance.now()
      execFileSync(process.execPath, args, { cwd: app, env: { ...process.env, DUCKDB_DATABASE: 'shop.duckdb' }, stdio: 'ignore' })
      return performance.now() - started
    })
    return Math.min(...times)
  }
  const [bare, validate] = [best(['--eval', '0']), best(['node_modules/grainline/config/bin.cjs', 'validate', 'shop.yaml'])]
  const ratio = (validate / bare).toFixed(1)
  console.log(`grainline validate took ${Math.round(validate)} ms, a bare Node ${Math.round(bare)} ms: ${ratio} times as long`)
}

function npm(args, cwd) {
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}
