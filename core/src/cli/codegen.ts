import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { modelTypes } from './codegen/model-types.js'
import { type CommandIo, readArguments } from './command.js'
import { targetFlags } from './target/target-flags.js'
import { withTarget } from './target/with-target.js'

export const flags = { ...targetFlags, output: { type: 'string' }, name: { type: 'string' } } as const

/** `codegen [MODEL] [--output FILE] [--name NAME]`: the types of a model, for `@grainline/client`. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readArguments(args, flags)
  return withTarget({ command: 'codegen', flags: values, positionals, io }, async ({ client, signal }) => {
    const text = modelTypes(await client.schema({ signal }), values.name)
    if (values.output === undefined) io.stdout.write(text)
    else await writeFile(path.resolve(io.cwd, values.output), text)
    return 0
  })
}
