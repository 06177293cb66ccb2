/**
 * Tests load typebox as one file instead of some 700: through the loader of TypeScript each of them costs more than a millisecond, and a run
 * of the tests starts hundreds of processes. The same code, bundled once per version into node_modules; what is published has it inlined too.
 */
import { existsSync, readFileSync, renameSync } from 'node:fs'
import * as loader from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const { version } = JSON.parse(readFileSync(path.join(root, 'node_modules/typebox/package.json'), 'utf8'))
const folder = path.join(root, `node_modules/.cache/grainline/typebox-${version}`)
const entries = { typebox: 'typebox.js', 'typebox/value': 'value.js' }

if (!existsSync(folder)) await bundle()
const files = Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, pathToFileURL(path.join(folder, file)).href]))
if (loader.registerHooks) loader.registerHooks({ resolve: (specifier, _context, next) => found(specifier) ?? next(specifier) })
// Node 20 knows only hooks in a thread of their own; Node 26 warns of those.
else loader.register(`data:text/javascript,${encodeURIComponent(hooks(files))}`)

function found(specifier) {
  return Object.hasOwn(files, specifier) ? { url: files[specifier], shortCircuit: true } : undefined
}

/** Into a folder of its own first: tests start side by side. */
async function bundle() {
  const { build } = await import('esbuild')
  const outdir = `${folder}-${process.pid}`
  const entryPoints = Object.entries(entries).map(([name, file]) => ({ in: name, out: file.replace('.js', '') }))
  await build({ absWorkingDir: root, entryPoints, outdir, bundle: true, splitting: true, format: 'esm', platform: 'node' })
  try {
    renameSync(outdir, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

function hooks(map) {
  return `const files = ${JSON.stringify(map)}
export const resolve = (specifier, context, next) =>
  Object.hasOwn(files, specifier) ? { url: files[specifier], shortCircuit: true } : next(specifier, context)`
}
