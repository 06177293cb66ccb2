// What a tarball must not contain: tests, which need what is not published, and source maps, which name sources that are not there.
import { execFileSync } from 'node:child_process'

/** The paths among the files of a package that are tests, sources or source maps. */
export const strayFiles = (paths) => paths.filter((path) => STRAY.some((pattern) => pattern.test(path)))

const STRAY = [/\.map$/, /\.(?:test|fuzz|spec)\./, /(?:^|\/)(?:test|tests|__tests__|src)\//, /\.tsbuildinfo$/]

/** The files that `npm pack` puts into the tarball of each folder. */
export function packedFiles(folders) {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', ...folders]
  const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 64 * 1024 * 1024 }
  return JSON.parse(execFileSync('npm', args, options)).map(({ name, files }) => ({ name, paths: files.map(({ path }) => path) }))
}

/** Throws with all stray files of the packages in these folders. */
export function refuseStrayFiles(folders) {
  const stray = packedFiles(folders).flatMap(({ name, paths }) => strayFiles(paths).map((path) => `${name}: ${path}`))
  if (stray.length > 0) throw new Error(`These files must not be published:\n  ${stray.join('\n  ')}`)
}
