import { load } from 'js-yaml'
import { ADMIN } from '../auth/principal.js'
import { GrainlineError } from '../errors.js'
import { isRecord } from '../model/shape.js'
import type { RollupStatement } from '../service/asking.js'
import { type CommandIo, choiceOf, readArguments, UsageError } from './command.js'
import { compileQuestion } from './compile.js'
import { withProgress } from './output/progress.js'
import { questionFlags } from './question/question-flags.js'
import { readQuestion } from './question/read-question.js'
import { readInput } from './read-input.js'
import { builtLine, statusLines, verifiedLine } from './rollup/build-lines.js'
import { dbtModel } from './rollup/dbt-model.js'
import { verdictLines } from './rollup/verdict-lines.js'
import { targetFlags } from './target/target-flags.js'
import { type Asked, withTarget, withText } from './target/with-target.js'

export const flags = { ...targetFlags, ...questionFlags, would: { type: 'string' }, json: { type: 'boolean' } } as const

const ACTIONS = ['sql', 'dbt', 'build', 'status', 'verify', 'why'] as const
type Values = ReturnType<typeof readArguments<typeof flags>>['values']

/**
 * `rollup build MODEL [NAME…]`, `rollup verify MODEL [NAME…]` and `rollup status MODEL`: the tables, as an operator makes and checks them. `rollup sql MODEL NAME` and `rollup dbt MODEL NAME`: the statement of a rollup table, plain or as a model of dbt. `rollup why [MODEL] QUESTION [--would FILE]`: which
 * rollup tables a question could be answered from, and why the others not; with `--would` as if the model had the rollups of a file, too.
 */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readArguments(args, flags)
  const [first, ...rest] = positionals
  if (first === undefined) throw new UsageError('rollup takes sql, dbt, build, status, verify or why, and a model')
  const action = choiceOf('ACTION', first, ACTIONS)
  if (action === 'why') return why(rest, values, io)
  // Rollup tables are made of all rows.
  if (values.as !== undefined && values.as !== ADMIN)
    throw new UsageError(`rollup ${action} works for the operator of the database, and no access rules apply: leave out --as`)
  if (values.would !== undefined) throw new UsageError(`--would is a question of rollup why, not of rollup ${action}`)
  if (action === 'build' || action === 'verify' || action === 'status') return operate(action, rest, values, io)
  return withTarget({ command: `rollup ${action}`, flags: values, positionals: rest, io }, async (asked, [name, ...more]) => {
    if (name === undefined || more.length > 0)
      throw new UsageError(`rollup ${action} takes a model file and the name of a rollup`)
    const statement = await statementOf(name, values.dialect, asked)
    io.stdout.write(
      values.json ? `${JSON.stringify(statement, null, 2)}\n` : action === 'sql' ? plainText(statement) : dbtModel(statement),
    )
    return 0
  })
}

/** `build [NAME…]` and `verify [NAME…]` of all rollups, or of those that are named; `status` lists builds. Exit code 1 if one fails. */
async function operate(
  action: 'build' | 'status' | 'verify',
  positionals: readonly string[],
  values: Values,
  io: CommandIo,
): Promise<number> {
  const { dialect, json } = values
  return withTarget(
    { command: `rollup ${action}`, flags: values, positionals, io },
    async ({ local, signal, source = '' }, names) => {
      if (local === undefined) throw new UsageError(`rollup ${action} reads a model file of this machine, and no --server`)
      const { service, sessionId } = local
      const target = { asker: undefined, target: { sessionId }, dialect }
      const write = (value: object, line: string): void => void io.stdout.write(`${json ? JSON.stringify(value) : line}\n`)
      if (action === 'status') {
        if (names.length > 0) throw new UsageError('rollup status takes one model file')
        for (const one of await service.rollupStatus(target)) write(one, statusLines(one).join('\n'))
        return 0
      }
      const all = names.length > 0 ? names : rollupNames(source)
      if (all.length === 0) throw new UsageError('The model has no rollups')
      let failed = 0
      for (const rollup of all) {
        const options = signal ? { signal } : {}
        if (action === 'verify') {
          const found = await service.verifyRollup({ ...target, rollup }, options)
          if (found.fault !== null) failed++
          write(found, verifiedLine(found))
          continue
        }
        const built = await withProgress(`Building ${rollup}`, io, service.buildRollup({ ...target, rollup }, options)).catch(
          (error: unknown) => {
            if (all.length === 1 || !(error instanceof GrainlineError)) throw error
            io.stderr.write(`${rollup}: ${error.code}: ${error.message}\n`)
            return undefined
          },
        )
        if (built) write(built, builtLine(built))
        else failed++
      }
      return failed === 0 ? 0 : 1
    },
  )
}

/** All rollups of a text. */
function rollupNames(source: string): readonly string[] {
  const document = load(source)
  return isRecord(document) && isRecord(document['rollups']) ? Object.keys(document['rollups']) : []
}

async function statementOf(rollup: string, dialect: string | undefined, { local }: Asked): Promise<RollupStatement> {
  if (local === undefined) throw new UsageError('rollup sql and rollup dbt read a model file of this machine, and no --server')
  return local.service.rollupStatement({ asker: undefined, target: { sessionId: local.sessionId }, rollup, dialect })
}

const plainText = ({ rollup, definition, sql }: RollupStatement): string =>
  `-- rollup ${JSON.stringify(rollup)}, definition ${definition}\n${sql}\n`

async function why(positionals: readonly string[], values: Values, io: CommandIo): Promise<number> {
  const answer = async (asked: Asked): Promise<number> => {
    const { explain } = await compileQuestion(await readQuestion('rollup why', values, asked, io), values.dialect, asked)
    const verdicts = explain?.rollups ?? []
    io.stdout.write(values.json ? `${JSON.stringify(verdicts, null, 2)}\n` : `${verdictLines(verdicts).join('\n')}\n`)
    return 0
  }
  if (values.would === undefined) return withTarget({ command: 'rollup why', flags: values, positionals, io }, answer)
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError('--would takes one model file beside it')
  const source = withRollups(await readInput(file, io), await readInput(values.would, io), values.would)
  return withText([{ file, source }], { flags: values, io }, ([asked]) => answer(asked!))
}

/** The text of the model with the rollups of another text, and with the dimensions that these need. */
function withRollups(model: string, would: string, file: string): string {
  const [own, added] = [load(model), load(would)]
  if (!isRecord(own) || !isRecord(added) || !isRecord(added['rollups']))
    throw new UsageError(`--would ${file} needs rollups: with the name of each`)
  const both = (key: string): object => ({ ...(isRecord(own[key]) && own[key]), ...(isRecord(added[key]) && added[key]) })
  return JSON.stringify({ ...own, dimensions: both('dimensions'), rollups: both('rollups') })
}
