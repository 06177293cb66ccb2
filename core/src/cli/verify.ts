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

const some = (count: number, what: string): string[] => (count === 0 ? [] : [`${count} ${what}${count === 1 ? '' : 's'}`])

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`

function summary({ objects, edges, dimensions, measures, findings }: VerifyReport, errors: number): string {
  const checked = [
    ...some(objects.length, 'key'),
    ...some(edges.length, 'join'),
    ...some(dimensions.length, 'dimension'),
    ...some(measures.length, 'exact sum'),
  ]
  const looked = checked.length === 0 ? 'Nothing could be checked' : `Checked ${listed(checked)}`
  if (findings.length === 0)
    return checked.length === 0 ? `${looked}: the model declares no key and no join\n` : `${looked}: all hold\n`
  const warnings = findings.length - errors
  return `${looked}: ${listed([...some(errors, 'error'), ...some(warnings, 'warning')])}\n`
}
