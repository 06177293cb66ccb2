import { type Finding, GrainlineError } from '../errors.js'
import { type CommandIo, readArguments, UsageError } from './command.js'
import { findingFlags, writeFindings } from './output/write-findings.js'
import { type ModelText, readInput } from './read-input.js'
import { serverAccess, targetFlags } from './target/target-flags.js'

export const flags = {
  ...targetFlags,
  ...findingFlags,
  'against-database': { type: 'boolean' },
} as const

/**
 * `validate FILE [--against-database] [--format text|json|sarif]`: every finding with its line and column. Exit code 1 when there are
 * errors; remarks alone are 0.
 */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readArguments(args, flags)
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError('validate takes one model file')
  // The standard input can be read only once.
  const source = await readInput(file, io)
  const { errors, warnings } = await findingsOf({ file, source }, values, io)
  const stored =
    errors.length === 0 && values['against-database']
      ? await (await import('./stored-columns.js')).storedColumns({ file, source }, values, io)
      : undefined
  const all = { errors: [...errors, ...(stored?.errors ?? [])], warnings: [...warnings, ...(stored?.warnings ?? [])] }
  const valid = all.errors.length === 0
  writeFindings(
    values,
    {
      file,
      findings: [...all.errors, ...all.warnings],
      json: { valid, ...all, ...(stored && { columns: stored.columns }) },
      summary: `${stored?.table ?? ''}${summary(file, all.errors.length, all.warnings.length)}`,
    },
    io,
  )
  return valid ? 0 : 1
}

interface Findings {
  readonly errors: readonly Finding[]
  readonly warnings: readonly Finding[]
}

type Given = Parameters<typeof serverAccess>[0] & { readonly config?: string | undefined }

/** Without a server in this process, the command starts faster. */
async function findingsOf(model: ModelText, given: Given, io: CommandIo): Promise<Findings> {
  const access = await serverAccess(given, io)
  if (access !== undefined) {
    const { clientOf } = await import('./target/with-target.js')
    return (await clientOf(access).validate(model.source)) as Findings
  }
  const { withModel } = await import('./with-model.js')
  try {
    return await withModel({ ...model, config: given.config }, io, async (_service, { warnings }) => ({ errors: [], warnings }))
  } catch (error) {
    if (!(error instanceof GrainlineError) || error.code !== 'MODEL_INVALID') throw error
    const findings = error.details.findings ?? []
    const of = (severity: Finding['severity']) => findings.filter((finding) => finding.severity === severity)
    return { errors: of('error'), warnings: of('warning') }
  }
}

function summary(file: string, errors: number, warnings: number): string {
  const remarks = warnings === 0 ? '' : `, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`
  return errors === 0 ? `${file} is valid${remarks}\n` : `${file} has ${errors} ${errors === 1 ? 'error' : 'errors'}${remarks}\n`
}
