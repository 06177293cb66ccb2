// The compiled code of a script, cached in files for the next start. Such a file runs unchecked, so it is read only if no other user can have
// written it: its owner is this user or root, and no other user can write it or its folder.
const { createHash, randomUUID } = require('node:crypto')
const { closeSync, fstatSync, lstatSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } =
  require('node:fs')
const os = require('node:os')
const path = require('node:path')

/** A cache next to the script or, if that folder is not writable, in the cache folder of the user. Each combination of `parts` has a file. */
exports.codeCache = (beside, parts) => {
  const { NODE_DISABLE_COMPILE_CACHE: disabled, NODE_OPTIONS: options = '' } = process.env
  const key = [...parts, process.version, process.arch, process.execArgv, options]
  const name = `${createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 32)}.code`
  const folders = disabled ? [] : [path.join(beside, 'code'), userFolder()].filter(Boolean)
  return {
    /** The cached code, or undefined. */
    read: () => firstOf(folders, (folder) => read(folder, name)),
    /** Has no effect if no folder can be used. */
    write: (data) => void firstOf(folders, (folder) => write(folder, name, data)),
  }
}

function userFolder() {
  const { XDG_CACHE_HOME: given, LOCALAPPDATA: windows } = process.env
  const home = os.homedir()
  const caches = given || windows || (home && path.join(home, '.cache'))
  return caches && path.isAbsolute(caches) ? path.join(caches, 'grainline/code') : undefined
}

function firstOf(folders, find) {
  for (const folder of folders) {
    const found = find(folder)
    if (found !== undefined) return found
  }
  return undefined
}

function read(folder, name) {
  let file
  try {
    if (!isTrusted(lstatSync(folder))) return undefined
    file = openSync(path.join(folder, name))
    return isTrusted(fstatSync(file)) ? readFileSync(file) : undefined
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** True if it was written. Processes that start at the same time write separate files and rename them; the last one remains. */
function write(folder, name, data) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (!isTrusted(lstatSync(folder))) return undefined
    leaveNewest(folder, MOST_FILES - 1)
    replace(path.join(folder, name), data)
    return true
  } catch {
    return undefined
  }
}

function replace(file, data) {
  const part = `${file}.${randomUUID()}`
  try {
    writeFileSync(part, data, { flag: 'wx', mode: 0o600 })
    renameSync(part, file)
  } finally {
    rmSync(part, { force: true })
  }
}

const MOST_FILES = 12

function leaveNewest(folder, count) {
  const age = (file) => lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const files = readdirSync(folder).map((each) => path.join(folder, each))
  for (const file of files.sort((a, b) => age(b) - age(a)).slice(count)) rmSync(file, { force: true })
}

/** Windows has no such owners and modes; there both folders belong to the user or an administrator. */
function isTrusted({ mode, uid }) {
  if (process.getuid === undefined) return true
  return (mode & 0o022) === 0 && (uid === 0 || uid === process.getuid())
}
