import type { Compiled, PlanNode } from '@grainline/client'
import { type CommandIo, readArguments } from './command.js'
import { writeWarnings } from './output/write-answer.js'
import { questionFlags } from './question/question-flags.js'
import { type Question, readQuestion } from './question/read-question.js'
import { targetFlags } from './target/target-flags.js'
import { type Asked, withTarget } from './target/with-target.js'

export const flags = { ...targetFlags, ...questionFlags, explain: { type: 'boolean' } } as const

/** `compile [MODEL] QUESTION [--dialect NAME] [--explain]`: the SQL; with `--explain` how it came about, as comments before it. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readArguments(args, flags)
  return withTarget({ command: 'compile', flags: values, positionals, io }, async (asked) => {
    const compiled = await compileQuestion(await readQuestion('compile', values, asked, io), values.dialect, asked)
    writeWarnings(compiled.warnings, asked.name, io)
    const around = compiled.around == null ? [] : ['around the answers of these:', ...compiled.around.split('\n')]
    const lines = [...(values.explain && compiled.explain ? planLines(compiled.explain) : []), ...around]
    io.stdout.write(`${lines.map((line) => `-- ${line}\n`).join('')}${compiled.sql}\n`)
    return 0
  })
}

export function compileQuestion(question: Question, dialect: string | undefined, { client, signal }: Asked): Promise<Compiled> {
  const options = { dialect, signal }
  return 'sql' in question ? client.sql.compile(question.sql, options) : client.compile(question.query, options)
}

export const planLines = ({ planner, planner_reason, plan }: NonNullable<Compiled['explain']>): string[] => [
  `${planner}: ${planner_reason}`,
  ...treeLines(plan, ''),
]

/** The plan with each step under the one that reads it. */
function treeLines({ op, detail, children }: PlanNode, indent: string): string[] {
  return [`${indent}${op}${detail && ` ${detail}`}`, ...children.flatMap((child) => treeLines(child, `${indent}  `))]
}
