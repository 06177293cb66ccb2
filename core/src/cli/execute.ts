import { type CommandIo, readArguments } from './command.js'
import { formatOf, writeAnswer } from './output/write-answer.js'
import { questionFlags } from './question/question-flags.js'
import { readQuestion } from './question/read-question.js'
import { modelFlags } from './target/target-flags.js'
import { withTarget } from './target/with-target.js'

export const flags = {
  ...modelFlags,
  ...questionFlags,
  format: { type: 'string', short: 'f', default: 'table' },
  locale: { type: 'string' },
} as const

/** `execute [MODEL] QUESTION [--format …]`: the answer, from the configured database or from a server. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readArguments(args, flags)
  return withTarget({ command: 'execute', flags: values, positionals, io }, async (asked) => {
    const format = formatOf(values.format, asked)
    const question = await readQuestion('execute', values, asked, io)
    const { dialect, locale } = values
    await writeAnswer({ question, format, dialect, locale }, asked, io)
    return 0
  })
}
