// Completes package-lock.json with the optional packages of other platforms. If a registry does not have them, `npm install`
// omits them, and `npm ci` then refuses the lock file everywhere. Run it after `npm install`; it changes nothing else.
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const OS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const CPU = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32']

const file = fileURLToPath(new URL('../package-lock.json', import.meta.url))
const lock = JSON.parse(await readFile(file, 'utf8'))
const added = []

for (const [place, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const platform = platformOf(name)
    if (!platform || isLocked(name, place)) continue
    if (!/^\d/.test(version)) throw new Error(`${place} needs ${name}@${version}; the version to lock is unknown`)
    lock.packages[`node_modules/${name}`] = { version, ...platform, ...(entry.dev && { dev: true }), optional: true }
    added.push(`${name}@${version}`)
  }
}

lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => a.localeCompare(b, 'en')))
if (added.length > 0) await writeFile(file, `${JSON.stringify(lock, null, 2)}\n`)
console.log(added.length === 0 ? 'package-lock.json is complete' : `added to package-lock.json:\n  ${added.join('\n  ')}`)

/** The path where Node finds `name` from the package at `place`. */
function isLocked(name, place) {
  for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (lock.packages[`${folder}${folder && '/'}node_modules/${name}`]) return true
    if (folder === '') return false
  }
}

/** `binding-linux-arm64-musl` runs on linux, arm64, musl; `undefined` if the name contains no system. */
function platformOf(name) {
  const words = name.split(/[/-]/)
  const os = words.find((word) => OS.includes(word))
  const cpu = words.find((word) => CPU.includes(word))
  if (!os || !cpu) return undefined
  const libc = os !== 'linux' ? undefined : words.some((word) => word.startsWith('musl')) ? 'musl' : 'glibc'
  return { cpu: [cpu], os: [os], ...(libc && { libc: [libc] }) }
}
