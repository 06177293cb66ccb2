import type { AskOptions, Finding } from '@grainline/client'
import { type CommandIo, choiceOf } from '../command.js'
import type { Question } from '../question/read-question.js'
import type { Asked } from '../target/with-target.js'
import { answerTable } from './answer-table.js'
import { counted, withProgress } from './progress.js'
import { markdownTable, textTable } from './text-table.js'
import { writeBytes } from './write-bytes.js'
import { formatFindings } from './write-findings.js'

/** Formats that the command line writes itself, and formats that every server writes. */
const ALWAYS = ['table', 'md', 'json']

/** The requested format. A server knows its own formats and refuses others; this function knows the formats of this machine. */
export const formatOf = (given: string, { local }: Pick<Asked, 'local'>): string =>
  local ? choiceOf('format', given, [...ALWAYS, ...local.formats]) : given

export interface WantedAnswer extends Pick<AskOptions, 'dialect' | 'locale' | 'receipt'> {
  readonly question: Question
  readonly format: string
}

/** Runs the query, and writes the answer in the format: data to the standard output, everything else to the standard error. */
export async function writeAnswer(
  { question, format, ...options }: WantedAnswer,
  { client, name, signal }: Asked,
  io: CommandIo,
): Promise<void> {
  const asked = { ...options, signal }
  if (format !== 'table' && format !== 'md') {
    const body =
      'sql' in question
        ? client.sql.bytes(question.sql, format, { ...asked, parameters: question.parameters, rollups: question.rollups })
        : client.bytes(question.query, format, asked)
    const answer = counted(await withProgress('Asking', io, body), format)
    const writing = writeBytes(answer.body, io)
    // On a terminal the data themselves show the progress.
    await (io.stdout.isTTY === true ? writing : withProgress('Writing', io, writing, { detail: answer.come }))
    if (format === 'json') io.stdout.write('\n')
    return
  }
  const shown = { ...asked, format_values: true }
  const answering =
    'sql' in question
      ? client.sql.query(question.sql, { ...shown, parameters: question.parameters, rollups: question.rollups })
      : client.query(question.query, shown)
  const answer = await withProgress('Asking', io, answering)
  const { columns, rows } = answerTable(answer)
  const count = `${answer.row_count} ${answer.row_count === 1 ? 'row' : 'rows'}${answer.truncated ? ', more exist' : ''}\n`
  io.stdout.write(format === 'md' ? markdownTable(columns, rows) : textTable(columns, rows) + count)
  writeWarnings(answer.warnings, name, io)
}

export function writeWarnings(warnings: readonly Finding[], name: string, { stderr }: CommandIo): void {
  stderr.write(formatFindings(warnings as Parameters<typeof formatFindings>[0], name))
}
