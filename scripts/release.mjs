// Prepares a release: one version in every manifest, a dated heading in the changelog, a build, and a tarball of each package.
//   node scripts/release.mjs 0.2.0 --to FOLDER
// It publishes nothing and pushes nothing. Its last lines show how to publish with provenance from the build of a tag.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { inc, lt, valid } from 'semver'
import { packageFolders } from './bundle-packages.mjs'
import { lintPacked } from './lint-packed.mjs'
import { packPackages } from './pack.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const OWN = /^@grainline\//
const CARET = /^\^/
/** Files for deployment that name the version. */
const VERSIONED = [
  ['deploy/Dockerfile', /^ARG VERSION=.*$/m, 'ARG VERSION='],
  ['deploy/kubernetes/grainline.yaml', /image: grainline:.*$/m, 'image: grainline:'],
]

/** The manifest at a version. Dependencies on our packages get this version, and so do peers with a caret; a range that accepts a minor stays. */
export function manifestAt(manifest, version) {
  const at = (ranges) =>
    Object.fromEntries(
      Object.entries(ranges).map(([name, range]) => [name, OWN.test(name) && CARET.test(range) ? `^${version}` : range]),
    )
  const kinds = ['dependencies', 'peerDependencies', 'devDependencies'].filter((kind) => manifest[kind] !== undefined)
  return { ...manifest, version, ...Object.fromEntries(kinds.map((kind) => [kind, at(manifest[kind])])) }
}

/** The changelog with its unreleased part under the version and the day. Throws if there is none. */
export function changelogAt(text, version, day) {
  const heading = /^## \S+ \(unreleased\)$/m
  if (!heading.test(text))
    throw new Error('CHANGELOG.md has no heading of the form "## 0.2.0 (unreleased)"; nothing would be released')
  return text.replace(heading, `## ${version} (${day})`)
}

/** Throws if the version is not valid. */
export function checkVersion(version, current) {
  if (valid(version) !== version)
    throw new Error(`'${version}' is not a version; the next ones are ${inc(current, 'patch')} and ${inc(current, 'minor')}`)
  if (lt(version, current)) throw new Error(`${version} is older than ${current}, which the manifests have`)
}

async function release(version, folder) {
  const run = (command, args) =>
    execFileSync(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' })
  if (run('git', ['status', '--porcelain']) !== '') throw new Error('Commit or stash your changes first')
  const folders = [root, ...(await packageFolders())]
  const read = async (file) => JSON.parse(await readFile(file, 'utf8'))
  checkVersion(version, (await read(path.join(root, 'core/package.json'))).version)
  for (const each of folders) {
    const file = path.join(each, 'package.json')
    await writeFile(file, `${JSON.stringify(manifestAt(await read(file), version), undefined, 2)}\n`)
  }
  for (const [file, before, after] of VERSIONED) {
    const text = await readFile(path.join(root, file), 'utf8')
    await writeFile(path.join(root, file), text.replace(before, `${after}${version}`))
  }
  const changelog = path.join(root, 'CHANGELOG.md')
  await writeFile(changelog, changelogAt(await readFile(changelog, 'utf8'), version, new Date().toISOString().slice(0, 10)))
  run('npm', ['install', '--package-lock-only', '--ignore-scripts'])
  run('node', ['scripts/advisories.mjs'])
  run('npm', ['run', 'build'])
  const tarballs = await packPackages(folder)
  await lintPacked(tarballs)
  for (const tarball of tarballs.toSorted()) {
    const digest = createHash('sha512')
      .update(await readFile(tarball))
      .digest('base64')
    console.log(`${path.basename(tarball)}  sha512-${digest}`)
  }
  console.log(
    `\nTry them (node scripts/try-packed.mjs), commit, tag v${version}, and let the workflow of the tag publish each tarball:`,
  )
  console.log('npm publish TARBALL --access public --provenance')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [version, to, folder] = process.argv.slice(2)
  if (version === undefined || to !== '--to' || folder === undefined) {
    console.error('node scripts/release.mjs VERSION --to FOLDER')
    process.exitCode = 2
  } else await release(version, path.resolve(folder))
}
