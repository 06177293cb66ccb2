/**
 * The modules of the tests. Each TypeScript file that is an entry of the bundles (scripts/bundle-tests.mjs) is loaded as its bundle.
 * If there are no bundles, or a source has changed since, tsx loads the sources.
 * Bundles find each other by `bundleOf`. A program that is no bundle needs hooks, which cost
 * half a second of processor time on Node 20.
 */
import { existsSync, readFileSync } from 'node:fs'
import * as loader from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import { BUNDLE, MANIFEST, stampOf } from './bundle-manifest.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
let isUsed = false
const outputs = isMainThread ? bundles() : undefined
if (outputs !== undefined) {
  globalThis.bundleOf = (address) => {
    if (Object.hasOwn(outputs, address)) return outputs[address]
    // A file that a test writes, such as a plugin, imports sources by their names.
    if (/^file:/.test(address) && !address.includes('/node_modules/')) useBundlesOnce()
    return address
  }
  if (!startsFromBundle(process.argv[1] ?? '')) useBundlesOnce()
} else if (isMainThread) {
  globalThis.bundleOf = (address) => address
  await import('tsx')
}

/** A bundle, or the file that runs one. Other programs import sources by their names, in files that are no bundles. */
function startsFromBundle(program) {
  return program.startsWith(BUNDLE) || path.basename(program) === 'run-bundle.mjs'
}

/** From the URL of a source to the URL of its bundle. */
function bundles() {
  const file = path.join(BUNDLE, MANIFEST)
  if (!existsSync(file)) return undefined
  const { outputs, stamps } = JSON.parse(readFileSync(file, 'utf8'))
  const isOld = ([source, stamp]) => stampOf(path.join(root, source)) !== stamp
  // Bundles that another program made for itself are used as they are.
  if (process.env.TEST_BUNDLES === undefined && Object.entries(stamps).some(isOld)) return undefined
  const address = (...parts) => pathToFileURL(path.join(...parts)).href
  return Object.fromEntries(Object.entries(outputs).map(([source, output]) => [address(root, source), address(BUNDLE, output)]))
}

function useBundlesOnce() {
  if (isUsed) return
  isUsed = true
  useBundles(outputs)
}

function useBundles(map) {
  const resolve = (specifier, context, next) => {
    const found = next(specifier, context)
    return Object.hasOwn(map, found.url) ? { ...found, url: map[found.url], format: 'module' } : found
  }
  if (loader.registerHooks) return void loader.registerHooks({ resolve })
  // Node 20 supports only hooks in a separate thread.
  loader.register(`data:text/javascript,${encodeURIComponent(hooks(map))}`)
}

function hooks(map) {
  return `const map = ${JSON.stringify(map)}
export const resolve = async (specifier, context, next) => {
  const found = await next(specifier, context)
  return Object.hasOwn(map, found.url) ? { ...found, url: map[found.url], format: 'module' } : found
}`
}
