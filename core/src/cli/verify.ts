import type { VerifyReport } from '../service.js'
import type { CommandIo } from './command.js'
import { formatFindings } from './findings.js'
import { readModelArgs, withModel } from './with-model.js'

/** `verify FILE [--json]`: the model proved against the configured database. Exit code 1 when a finding is an error; remarks alone are 0. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { file, values } = readModelArgs('verify', args, {
    json: { type: 'boolean' },
    config: { type: 'string' },
    dialect: { type: 'string' },
  })
  const { config, dialect, json } = values
  const report = await withModel({ file, config, execution: true }, io, (service) =>
    service.verify({ sessionId: 'model' }, { dialect }),
  )
  const errors = report.findings.filter((finding) => finding.severity === 'error').length
  if (json) io.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  else io.stdout.write(`${formatFindings(report.findings, file)}${summary(report, errors)}`)
  return errors === 0 ? 0 : 1
}

function summary({ objects, edges, dimensions, measures, findings }: VerifyReport, errors: number): string {
  const looked = `${objects.length} keys, ${edges.length} joins, ${dimensions.length} dimensions and ${measures.length} sums checked`
  if (findings.length === 0) return `${looked}; all is as the model says\n`
  const warnings = findings.length - errors
  return `${looked}: ${errors} ${errors === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}\n`
}
