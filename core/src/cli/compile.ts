import type { Explain, ExplainNode } from '../sql/compiled-query.js'
import type { CommandIo } from './command.js'
import { formatFindings } from './findings.js'
import { readModelArgs, readQuery, readStatement, withModel } from './with-model.js'

/** `compile FILE --query JSON|@file | --sql TEXT|@file [--dialect NAME] [--explain]`: the SQL; with `--explain` how it came about, as comments before it. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { file, values } = readModelArgs('compile', args, {
    query: { type: 'string' },
    sql: { type: 'string' },
    dialect: { type: 'string' },
    explain: { type: 'boolean' },
    config: { type: 'string' },
  })
  const sql = values.sql === undefined ? undefined : await readStatement(values.sql, io.cwd)
  const query = sql === undefined ? await readQuery('compile', values.query, io.cwd) : undefined
  const asked = { target: { sessionId: 'model' }, dialect: values.dialect }
  await withModel({ file, config: values.config }, io, async (service) => {
    const compiled = sql === undefined ? await service.compile({ ...asked, query }) : await service.compileSql({ ...asked, sql })
    io.stderr.write(formatFindings(compiled.warnings, file))
    const around =
      'around' in compiled && compiled.around !== undefined
        ? ['around the answers of these:', ...compiled.around.split('\n')]
        : []
    const lines = [...(values.explain && compiled.explain ? planOf(compiled.explain) : []), ...around]
    io.stdout.write(`${lines.map((line) => `-- ${line}\n`).join('')}${compiled.sql}\n`)
  })
  return 0
}

const planOf = ({ planner, planner_reason, plan }: Explain): string[] => [`${planner}: ${planner_reason}`, ...tree(plan, '')]

/** The plan with each step under the one that reads it. */
function tree({ op, detail, children }: ExplainNode, indent: string): string[] {
  return [`${indent}${op}${detail && ` ${detail}`}`, ...children.flatMap((child) => tree(child, `${indent}  `))]
}
