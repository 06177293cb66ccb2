import type { ModelDiff } from '../discovery/model-diff.js'
import { type CommandIo, choiceOf, jsonOf, readArguments, UsageError } from './command.js'
import { diffText } from './diff/diff-text.js'
import { movesOf } from './diff/moves.js'
import { withProgress } from './output/progress.js'
import { readInput } from './read-input.js'
import { targetFlags } from './target/target-flags.js'
import { withText } from './target/with-target.js'

export const flags = {
  ...targetFlags,
  values: { type: 'boolean' },
  by: { type: 'string', multiple: true },
  format: { type: 'string', short: 'f', default: 'text' },
} as const

const FORMATS = ['text', 'md', 'json'] as const

/**
 * `diff A B [--values] [--by DIMENSION] [--format text|md|json]`: the differences of two models and the fields that they affect; with
 * `--values` also the difference of each number in the database. The exit code is 0 in every case.
 */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readArguments(args, flags)
  const format = choiceOf('format', values.format, FORMATS)
  if (positionals.length !== 2) throw new UsageError('diff takes two model files')
  const texts: { file: string; source: string }[] = []
  for (const file of positionals) texts.push({ file, source: await readInput(file, io) })
  return withText(texts, { flags: values, io }, async ([before, after]) => {
    const { client, target, signal } = before!
    const body = { ...target, with: after!.target }
    const answer = await client.send({ method: 'POST', path: '/v1/diff', body }, { signal })
    const diff = await jsonOf<ModelDiff>(answer)
    const asking = values.values || values.by !== undefined
    const moves = asking ? await withProgress('Comparing', io, movesOf(diff, before!, after!, values.by ?? [])) : undefined
    io.stdout.write(
      format === 'json' ? `${JSON.stringify({ ...diff, ...(moves && { moves }) }, null, 2)}\n` : diffText(diff, moves, format),
    )
    return 0
  })
}
