import { type CommandIo, jsonOf, readFlags } from './command.js'
import { textTable } from './output/text-table.js'
import { targetFlags } from './target/target-flags.js'
import { withServer } from './target/with-target.js'

export const flags = { ...targetFlags, json: { type: 'boolean' } } as const

interface Dialect {
  readonly name: string
  readonly supported_aggregations: readonly string[]
  readonly supported_functions: readonly string[]
}

/** `dialects`: the loaded dialects, and how much of the language each can express. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const values = readFlags(args, flags)
  return withServer(values, io, async ({ client, signal }) => {
    const answer = await client.send({ method: 'GET', path: '/v1/dialects' }, { signal })
    const { dialects } = await jsonOf<{ readonly dialects: readonly Dialect[] }>(answer)
    const columns = [{ name: 'dialect' }, { name: 'aggregations', numeric: true }, { name: 'functions', numeric: true }]
    const rows = dialects.map(({ name, supported_aggregations, supported_functions }) => [
      name,
      String(supported_aggregations.length),
      String(supported_functions.length),
    ])
    io.stdout.write(values.json ? `${JSON.stringify(dialects, null, 2)}\n` : textTable(columns, rows))
    return 0
  })
}
