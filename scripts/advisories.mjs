/**
 * `node scripts/advisories.mjs` compares the production dependencies of the lock file with the advisories in scripts/advisories.json,
 * without a network. `--refresh` runs `npm audit` and writes that file; without its answer the check fails. An install script that is not listed there is
 * refused, too, and `--scripts` checks only that.
 */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'

/** As core has it. */
const semver = createRequire(new URL('../core/package.json', import.meta.url))('semver')

const root = path.resolve(import.meta.dirname, '..')
const file = process.env.ADVISORIES_FILE ?? path.join(root, 'scripts/advisories.json')
const DAY = 86_400_000

const lock = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8'))
const production = Object.entries(lock.packages).filter(
  ([place, entry]) => place.includes('node_modules/') && !entry.dev && !entry.link,
)
const nameOf = (place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)

if (process.argv.includes('--refresh')) await refresh()
const known = await readKnown()
const faults = process.argv.includes('--scripts')
  ? scripted(known.installScripts)
  : [...neverAsked(known), ...vulnerable(known.advisories), ...scripted(known.installScripts)]
for (const fault of faults) console.error(fault)
const days = Math.floor((Date.now() - Date.parse(known.asked)) / DAY)
const asked = !Number.isFinite(days)
  ? 'the registry was never asked'
  : `the registry was asked on ${known.asked}, ${days} days ago`
console.log(
  `${production.length} production dependencies, ${known.advisories.length} advisories known (${asked}): ${faults.length} faults`,
)
if (faults.length > 0) process.exitCode = 1

/** An absent or damaged file says nothing, as an empty one does. */
async function readKnown() {
  const none = { asked: null, advisories: [], installScripts: {} }
  const text = await readFile(file, 'utf8').catch(() => '{}')
  try {
    const { asked, advisories, installScripts } = { ...none, ...JSON.parse(text) }
    return { asked: Array.isArray(advisories) ? asked : null, advisories: advisories ?? [], installScripts }
  } catch {
    return none
  }
}

/** Without a date the list of advisories says nothing about a version. */
function neverAsked({ asked }) {
  if (Number.isFinite(Date.parse(asked))) return []
  return ['scripts/advisories.json has no advisories of the registry: run node scripts/advisories.mjs --refresh, with a network']
}

function vulnerable(advisories) {
  return production.flatMap(([place, { version }]) =>
    advisories
      .filter(
        ({ name, range, accepted }) =>
          name === nameOf(place) && !accepted && semver.satisfies(version, range, { includePrerelease: true }),
      )
      .map(({ url, title }) => `${nameOf(place)} ${version}: ${title} (${url})`),
  )
}

function scripted(allowed) {
  return production
    .filter(([place, { hasInstallScript }]) => hasInstallScript && !Object.hasOwn(allowed, nameOf(place)))
    .map(([place]) => `${nameOf(place)} runs a script when it is installed, and scripts/advisories.json does not say why`)
}

/** The current advisories of the registry; accepted ones stay accepted. */
async function refresh() {
  const before = JSON.parse(await readFile(file, 'utf8').catch(() => '{"advisories":[],"installScripts":{}}'))
  const run = promisify(execFile)('npm', ['audit', '--omit=dev', '--json'], { cwd: root, maxBuffer: 64 * 1024 * 1024 })
  const { vulnerabilities, message } = JSON.parse((await run.catch((error) => error)).stdout)
  if (vulnerabilities === undefined) throw new Error(`the registry returned no advisories: ${message}`)
  const told = Object.values(vulnerabilities).flatMap(({ via }) => via.filter((each) => typeof each === 'object'))
  const advisories = told.map(({ name, range, title, url, severity }) => {
    const accepted = before.advisories.find((each) => each.url === url)?.accepted
    return { name, range, severity, title, url, ...(accepted && { accepted }) }
  })
  const kept = before.advisories.filter(({ url }) => !advisories.some((each) => each.url === url))
  const sorted = [...kept, ...advisories].toSorted((a, b) => `${a.name} ${a.url}`.localeCompare(`${b.name} ${b.url}`))
  const text = JSON.stringify(
    { asked: new Date().toISOString().slice(0, 10), advisories: sorted, installScripts: before.installScripts },
    null,
    2,
  )
  await writeFile(file, `${text}\n`)
}
