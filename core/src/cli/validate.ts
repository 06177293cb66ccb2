import { type Finding, GrainlineError } from '../errors.js'
import type { CommandIo } from './command.js'
import { formatFindings } from './findings.js'
import { readModelArgs, withModel } from './with-model.js'

/** `validate FILE [--json]`: every finding with its line and column. Exit code 1 when there are errors; remarks alone are 0. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { file, values } = readModelArgs('validate', args, { json: { type: 'boolean' }, config: { type: 'string' } })
  const { errors, warnings } = await findingsOf(file, values.config, io)
  const valid = errors.length === 0
  if (values.json) io.stdout.write(`${JSON.stringify({ valid, errors, warnings }, null, 2)}\n`)
  else io.stdout.write(`${formatFindings([...errors, ...warnings], file)}${summary(file, errors.length, warnings.length)}`)
  return valid ? 0 : 1
}

interface Findings {
  readonly errors: readonly Finding[]
  readonly warnings: readonly Finding[]
}

async function findingsOf(file: string, config: string | undefined, io: CommandIo): Promise<Findings> {
  try {
    return await withModel({ file, config }, io, async (_service, { warnings }) => ({ errors: [], warnings }))
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
