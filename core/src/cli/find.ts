import { type CommandIo, readArguments, UsageError } from './command.js'
import { textTable } from './output/text-table.js'
import { modelFlags } from './target/target-flags.js'
import { withTarget } from './target/with-target.js'

export const flags = { ...modelFlags, json: { type: 'boolean' } } as const

/** `find [MODEL] TEXT…`: fields that match the words, best first. Exit code 1 if there is none. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readArguments(args, flags)
  return withTarget({ command: 'find', flags: values, positionals, io }, async ({ client, signal }, words) => {
    if (words.length === 0) throw new UsageError('find takes the words to look for')
    const found = await client.find(words.join(' '), { signal })
    const graded = found.results.some(({ status }) => status !== undefined)
    const columns = ['name', 'kind', ...(graded ? ['status'] : []), 'why'].map((name) => ({ name }))
    const rows = found.results.map(({ name, kind, status = '', use, reason }) => [
      name,
      kind,
      ...(graded ? [use === undefined ? status : `${status}, use ${use}`] : []),
      reason,
    ])
    if (values.json) io.stdout.write(`${JSON.stringify(found, null, 2)}\n`)
    else if (rows.length === 0) io.stderr.write(`Nothing is like '${words.join(' ')}'\n`)
    else io.stdout.write(textTable(columns, rows))
    if (!values.json && rows.length > 0 && found.unmatched.length > 0)
      io.stderr.write(`No field for: ${found.unmatched.join(', ')}\n`)
    return rows.length === 0 ? 1 : 0
  })
}
