import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Finding, GrainlineError } from '../errors.js'
import { readConfig } from '../host/config.js'
import { createHost } from '../host/host.js'
import type { RunningHost } from '../host/running-host.js'
import type { Importer, LossKind } from '../model/importer.js'
import type { Conversion, ConvertRequest, ExactItem } from '../service/conversion.js'
import { importerNamed } from '../service/import-document.js'
import { OWN, type Project, projectOfFile, readProject } from '../service/project.js'
import { lookup, readEnvironment } from '../settings/environment.js'
import { type CommandIo, readArguments, UsageError } from './command.js'
import { withHint } from './output/with-hint.js'
import { readInput } from './read-input.js'
import { withImporter } from './with-importer.js'

export const flags = {
  config: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  output: { type: 'string', short: 'o' },
  'drop-security': { type: 'boolean' },
  all: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

/**
 * `convert PATH [--from FORMAT] [--to FORMAT]`: the model on the standard output or in a file, and the loss report on the standard error. Exit code 1 if
 * the text is no model or cannot be written, 4 if an item is refused, 3 if one is inert, otherwise 0.
 */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readArguments(args, flags)
  const { from, to, output, all = false, json = false, config, 'drop-security': drops = false } = values
  const [given, ...more] = positionals
  if (given === undefined || more.length > 0) throw new UsageError('convert takes one file or folder')
  if (from === undefined && to === undefined)
    throw new UsageError(`convert needs --from FORMAT (the format of ${given}), or --to FORMAT (that of the result)`)
  const host = await hostWith([from, to], config, io)
  try {
    const importer = from === undefined ? OWN : importerNamed(from, host.importers, host.absent)
    const project = await projectOf(given, importer, host.importers, io)
    const file = given === '-' ? undefined : path.resolve(io.cwd, given)
    const request = { asker: undefined, model_yaml: project.text, format: from, to, file, drop_security: drops, list_exact: all }
    const converted = await conversionOf(request, host)
    if ('errors' in converted) {
      io.stderr.write(converted.errors.map((error) => faultLine(error, project)).join(''))
      return 1
    }
    const text = converted.text ?? converted.model_yaml ?? ''
    if (output === undefined) io.stdout.write(text)
    else await writeFile(path.resolve(io.cwd, output), text)
    const result = output ?? '-'
    io.stderr.write(
      json ? `${JSON.stringify(reportOf(converted, project, result), null, 2)}\n` : textOf(converted, project, result),
    )
    return codeOf(converted)
  } finally {
    await host.close()
  }
}

/** The files are named as the path was given. */
async function projectOf(
  given: string,
  importer: Parameters<typeof readProject>[1],
  importers: Iterable<Importer>,
  io: CommandIo,
): Promise<Project> {
  if (given === '-') return projectOfFile(given, await readInput(given, io))
  const folder = path.resolve(io.cwd, given)
  const project = await readProject(folder, importer, importers)
  if ('refused' in project) throw new UsageError(`${given} ${project.refused.replace(/\.$/, '')}`)
  const named = (file: string) => path.join(given, path.relative(folder, file))
  return { ...project, fileOf: (line) => ({ ...project.fileOf(line), file: named(project.fileOf(line).file) }) }
}

async function conversionOf(request: ConvertRequest, { service }: RunningHost): Promise<Conversion | Errors> {
  try {
    return await service.convert(request)
  } catch (error) {
    const findings = error instanceof GrainlineError ? error.details.findings : undefined
    if (findings === undefined) throw error
    return { errors: findings }
  }
}

interface Errors {
  readonly errors: readonly Finding[]
}

async function hostWith(
  formats: readonly (string | undefined)[],
  given: string | undefined,
  io: CommandIo,
): Promise<RunningHost> {
  const file = given === undefined ? io.defaultConfig : path.resolve(io.cwd, given)
  if (file === undefined) throw new UsageError('A config is needed: --config FILE')
  const environment = readEnvironment({ env: io.env, dotenv: io.cwd })
  let config = await readConfig(file, (name) => lookup(environment, name))
  for (const format of formats) if (format !== undefined) config = await withImporter(config, format, io)
  return createHost({ ...config, preload: [] }, { environment, ignored: ['MODEL_FILES'] })
}

type Placed = Pick<Finding, 'line' | 'column'>

const placed = ({ line = 1, column = 1 }: Placed, { fileOf }: Project): string => {
  const { file, first } = fileOf(line)
  return `${file}:${line - first + 1}:${column}`
}

const faultLine = (error: Finding, project: Project): string => `${placed(error, project)}: error: ${withHint(error)}\n`

function reportOf({ counts, losses, exact }: Conversion, project: Project, result: string) {
  const item = <Item extends ExactItem>({ line, column, target, ...rest }: Item) => ({
    ...rest,
    ...(line && { at: placed({ line, column: column ?? 1 }, project) }),
    ...(target && { target: `${result}:${target.line}:${target.column}` }),
  })
  return { counts, losses: losses.map(item), ...(exact && { exact: exact.map(item) }) }
}

/** `result`: the name of the file of the result, and '-' for the standard output. */
function textOf({ counts, losses, exact = [] }: Conversion, project: Project, result: string): string {
  const from = (item: ExactItem) => (item.line === undefined ? '' : `${placed(item, project)}: `)
  const to = ({ target, path }: ExactItem) =>
    target ? ` [${path === undefined ? '' : `${path}, `}${result}:${target.line}:${target.column}]` : ''
  const lines = [
    ...exact.map((item) => `${from(item)}exact: ${item.path ?? ''}${to({ ...(item.target && { target: item.target }) })}\n`),
    ...losses.map((loss) => `${from(loss)}${loss.kind}: ${withHint(loss)}${to(loss)}\n`),
  ]
  const summary = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`)
  return `${lines.join('')}${summary.join(', ')}\n`
}

function codeOf({ losses }: Conversion): number {
  const has = (kind: LossKind) => losses.some((loss) => loss.kind === kind)
  if (has('refused')) return 4
  return has('inert') ? 3 : 0
}
