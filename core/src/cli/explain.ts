import type { Lineage } from '@grainline/client'
import { type CommandIo, readArguments, UsageError } from './command.js'
import { compileQuestion, planLines } from './compile.js'
import { questionFlags } from './question/question-flags.js'
import { readQuestion } from './question/read-question.js'
import { fieldsOf, spelled } from './question/spelling.js'
import { modelFlags } from './target/target-flags.js'
import { type Asked, withTarget } from './target/with-target.js'

export const flags = { ...modelFlags, ...questionFlags, json: { type: 'boolean' } } as const

/** `explain [MODEL] NAME…` explains how fields are defined; `explain [MODEL] QUESTION` explains how a query is answered. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readArguments(args, flags)
  return withTarget({ command: 'explain', flags: values, positionals, io }, async (asked, names) => {
    if (names.length > 0) return explainFields(names, values.json, asked, io)
    const asking = [values.query, values.sql, values.dimension, values.measure].some((way) => way !== undefined)
    if (!asking) throw new UsageError('explain takes names of fields, or a question')
    const compiled = await compileQuestion(await readQuestion('explain', values, asked, io), values.dialect, asked)
    const { explain } = compiled
    const text =
      explain === null ? 'The statement holds several questions; compile shows each\n' : `${planLines(explain).join('\n')}\n`
    io.stdout.write(values.json ? `${JSON.stringify(explain, null, 2)}\n` : text)
    return 0
  })
}

async function explainFields(
  names: readonly string[],
  json: boolean | undefined,
  { client, signal }: Asked,
  io: CommandIo,
): Promise<number> {
  const fields = fieldsOf(await client.schema({ signal }))
  const lineages: Lineage[] = []
  for (const name of names) lineages.push(await client.explain(spelled(name, fields), { signal }))
  io.stdout.write(json ? `${JSON.stringify(lineages, null, 2)}\n` : lineages.map(lineageText).join('\n'))
  return 0
}

const lineageText = ({ name, type, lineage }: Lineage): string =>
  `${name} (${type})\n${lineage.map((step) => `  ${step.type} ${step.name}${step.detail === undefined ? '' : ` (${step.detail})`}\n`).join('')}`
