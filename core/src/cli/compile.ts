import type { ExplainNode } from '../sql/compiled-query.js'
import type { CommandIo } from './command.js'
import { formatFindings } from './findings.js'
import { readModelArgs, readQuery, withModel } from './with-model.js'

/** `compile FILE --query JSON|@file [--dialect NAME] [--explain]`: the SQL; with `--explain` how it came about, as comments before it. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { file, values } = readModelArgs('compile', args, {
    query: { type: 'string' },
    dialect: { type: 'string' },
    explain: { type: 'boolean' },
    config: { type: 'string' },
  })
  const query = await readQuery('compile', values.query, io.cwd)
  await withModel({ file, config: values.config }, io, async (service) => {
    const compiled = await service.compile({ target: { sessionId: 'model' }, query, dialect: values.dialect })
    io.stderr.write(formatFindings(compiled.warnings, file))
    const { planner, planner_reason: reason, plan } = compiled.explain
    const lines = values.explain ? [`${planner}: ${reason}`, ...tree(plan, '')] : []
    io.stdout.write(`${lines.map((line) => `-- ${line}\n`).join('')}${compiled.sql}\n`)
  })
  return 0
}

/** The plan with each step under the one that reads it. */
function tree({ op, detail, children }: ExplainNode, indent: string): string[] {
  return [`${indent}${op}${detail && ` ${detail}`}`, ...children.flatMap((child) => tree(child, `${indent}  `))]
}
