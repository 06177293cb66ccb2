import { inProject } from '../service/project.js'
import type { VerifyReport } from '../verify/report.js'
import { type CommandIo, jsonOf, readArguments } from './command.js'
import { withProgress } from './output/progress.js'
import { findingFlags, writeFindings } from './output/write-findings.js'
import { modelFlags } from './target/target-flags.js'
import { withTarget } from './target/with-target.js'

export const flags = { ...modelFlags, ...findingFlags, dialect: { type: 'string' } } as const

/** `verify [MODEL] [--from FORMAT]`: checks the model against its database. Exit code 1 if a finding is an error; with remarks alone it is 0. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readArguments(args, flags)
  return withTarget({ command: 'verify', flags: values, positionals, io }, async ({ client, target, name, fileOf, signal }) => {
    const asking = client.send({ method: 'POST', path: '/v1/verify', url: { ...target } }, { signal })
    const report = await jsonOf<VerifyReport>(await withProgress('Verifying', io, asking))
    const errors = report.findings.filter((finding) => finding.severity === 'error').length
    const findings = fileOf ? report.findings.map((finding) => inProject(finding, { fileOf })) : report.findings
    const json = { ...report, findings }
    const isOfFiles = fileOf !== undefined
    writeFindings(values, { file: name, isOfFiles, findings, json, summary: summary(report, errors) }, io)
    return errors === 0 ? 0 : 1
  })
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
