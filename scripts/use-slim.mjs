import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { manifestOf, packageFolders } from './bundle-packages.mjs'
import { servePacked } from './serve-packed.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
/** Large libraries of optional packages. */
const HEAVY = ['@duckdb', '@electric-sql', '@redis', '@modelcontextprotocol', '@opentelemetry/sdk-trace-node', '@grpc']

/** What `npm install grainline` brings: without the packages that only some servers need, whose absence a refusal explains. */
export async function useSlim(app, tarballs) {
  const wanted = await brought('grainline')
  const files = [...wanted].map((name) => tarballs.find((file) => path.basename(file).startsWith(`${fileName(name)}-0`)))
  await mkdir(app)
  await writeFile(path.join(app, 'package.json'), '{ "name": "slim", "private": true }\n')
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', ...files]
  execFileSync('npm', args, { cwd: app, stdio: ['ignore', 'ignore', 'inherit'] })
  const heavy = HEAVY.filter((name) => existsSync(path.join(app, 'node_modules', name)))
  if (heavy.length > 0) throw new Error(`npm install grainline brings ${heavy.join(', ')}`)
  refuses(app, ['mcp'], {}, 'npm install @grainline/mcp')
  refuses(app, ['serve'], { QUERY_EXECUTE: 'true' }, 'npm install @grainline/vendor-duckdb')
  refuses(app, ['serve'], { CACHE_BACKEND: 'redis' }, 'npm install @grainline/cache-redis')
  refuses(app, ['serve'], { PGWIRE_ENABLED: 'true' }, 'npm install @grainline/surface-pgwire')
  refuses(app, ['serve'], { ODATA_ENABLED: 'true' }, 'npm install @grainline/surface-odata')
  await servePacked(app, { DB_VENDOR: 'postgres', QUERY_EXECUTE: 'true' })
  console.log(
    `node_modules: ${await megabytes(path.dirname(app), 'app')} MB with everything, ${await megabytes(path.dirname(app), 'slim')} MB without what is optional`,
  )
}

/** The packages of ours that one of them depends on, and itself. */
async function brought(name, found = new Set()) {
  if (found.has(name)) return found
  found.add(name)
  const folders = [root, ...(await packageFolders())]
  const manifests = await Promise.all(folders.map(manifestOf))
  const { dependencies = {} } = manifests.find((each) => each.name === name)
  for (const other of Object.keys(dependencies)) if (other.startsWith('@grainline/')) await brought(other, found)
  return found
}

const fileName = (name) => name.replace('@', '').replace('/', '-')

function refuses(app, args, env, hint) {
  const options = { cwd: app, env: { ...process.env, ...env }, encoding: 'utf8' }
  const { status, stderr, stdout } = spawnSync(path.join(app, 'node_modules/.bin/grainline'), args, options)
  if (status !== 1 || !stderr.includes(hint))
    throw new Error(`grainline ${args} ended with ${status}, without "${hint}": ${stderr}${stdout}`)
}

async function megabytes(folder, app) {
  const files = await readdir(path.join(folder, app, 'node_modules'), { recursive: true, withFileTypes: true })
  const sizes = files
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(path.join(entry.parentPath ?? entry.path, entry.name)).size)
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1e6)
}
