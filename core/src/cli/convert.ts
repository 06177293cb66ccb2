import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { stringify } from 'yaml'
import type { Finding } from '../errors.js'
import { readConfig } from '../host/config.js'
import { createHost } from '../host/host.js'
import type { RunningHost } from '../host/running-host.js'
import type { Imported, LossKind } from '../model/importer.js'
import { importerNamed } from '../service/import-document.js'
import { lookup, readEnvironment } from '../settings/environment.js'
import { type CommandIo, readArguments, UsageError } from './command.js'
import { type Project, readProject } from './read-project.js'

export const flags = {
  config: { type: 'string' },
  from: { type: 'string' },
  output: { type: 'string', short: 'o' },
  json: { type: 'boolean' },
} as const

/**
 * `convert PATH --from FORMAT`: the model on the standard output or in a file, and the loss report on the standard error. Exit code 1 if
 * the text is no model, 4 if an item is refused, 3 if one is inert, otherwise 0.
 */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readArguments(args, flags)
  const { from, output, json = false, config } = values
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError('convert takes one file or folder')
  if (from === undefined) throw new UsageError('convert needs --from FORMAT')
  const host = await hostWith(from, config, io)
  try {
    const importer = importerNamed(from, host.importers)
    const project = await readProject(file, importer, io)
    const read = await importer.read({ text: project.text })
    const { errors } = await host.service.validate({ asker: undefined, model_yaml: project.text, format: from })
    if ('faults' in read || errors.length > 0) {
      io.stderr.write(errors.map((error) => `${placed(error, project)}: error: ${error.message}\n`).join(''))
      return 1
    }
    const model = stringify(read.document, { aliasDuplicateObjects: false })
    if (output === undefined) io.stdout.write(model)
    else await writeFile(path.resolve(io.cwd, output), model)
    io.stderr.write(json ? `${JSON.stringify(reportOf(read, project), null, 2)}\n` : textOf(read, project))
    return codeOf(read)
  } finally {
    await host.close()
  }
}

/** A format that no configured plugin reads is looked for in the package that is named after it. */
async function hostWith(from: string, given: string | undefined, io: CommandIo): Promise<RunningHost> {
  const file = given === undefined ? io.defaultConfig : path.resolve(io.cwd, given)
  if (file === undefined) throw new UsageError('A config is needed: --config FILE')
  const environment = readEnvironment({ env: io.env, dotenv: io.cwd })
  const config = { ...(await readConfig(file, (name) => lookup(environment, name))), preload: [] }
  const ignored = ['MODEL_FILES']
  const host = await createHost(config, { environment, ignored })
  if (host.importers.has(from) || !/^[a-z][a-z0-9-]*$/.test(from)) return host
  await host.close()
  return createHost({ ...config, plugins: [...config.plugins, `@grainline/importer-${from}`] }, { environment, ignored })
}

type Placed = Pick<Finding, 'line' | 'column'>

const placed = ({ line = 1, column = 1 }: Placed, { fileOf }: Project): string => {
  const { file, first } = fileOf(line)
  return `${file}:${line - first + 1}:${column}`
}

const KINDS = ['rewritten', 'inert', 'refused'] as const satisfies readonly LossKind[]

/** How many items there are of each kind; an item without a loss is exact. */
function countsOf({ places, losses }: Imported) {
  const count = (kind: LossKind) => losses.filter((loss) => loss.kind === kind).length
  const changed = new Set(losses.flatMap(({ place }) => (place ? [`${place.line}:${place.column}`] : [])))
  const exact = places.filter(({ place }) => !changed.has(`${place.line}:${place.column}`)).length
  return { exact, ...Object.fromEntries(KINDS.map((kind) => [kind, count(kind)])) }
}

const reportOf = (read: Imported, project: Project) => ({
  counts: countsOf(read),
  losses: read.losses.map(({ place, ...loss }) => ({ ...loss, ...(place && { at: placed(place, project) }) })),
})

function textOf(read: Imported, project: Project): string {
  const lines = read.losses.map(({ kind, message, hint, place }) => {
    const at = place ? `${placed(place, project)}: ` : ''
    return `${at}${kind}: ${message}${hint === undefined ? '' : ` ${hint}`}\n`
  })
  const counts = Object.entries(countsOf(read)).map(([kind, count]) => `${count} ${kind}`)
  return `${lines.join('')}${counts.join(', ')}\n`
}

function codeOf({ losses }: Imported): number {
  const has = (kind: LossKind) => losses.some((loss) => loss.kind === kind)
  if (has('refused')) return 4
  return has('inert') ? 3 : 0
}
