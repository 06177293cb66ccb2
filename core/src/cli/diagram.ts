import { type CommandIo, readArguments } from './command.js'
import { targetFlags } from './target/target-flags.js'
import { withTarget } from './target/with-target.js'

export const flags = { ...targetFlags, 'no-columns': { type: 'boolean' }, theme: { type: 'string' } } as const

/** `diagram [MODEL] [--no-columns] [--theme NAME]`: the joins as the text of a Mermaid diagram. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readArguments(args, flags)
  return withTarget({ command: 'diagram', flags: values, positionals, io }, async ({ client, signal }) => {
    const { theme } = values
    const text = await client.diagram({ signal, columns: !values['no-columns'], ...(theme !== undefined && { theme }) })
    io.stdout.write(`${text.trimEnd()}\n`)
    return 0
  })
}
