import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { AnswerColumn, Scalar } from '@grainline/client'
import { VERSION } from '../host/version.js'
import { parseDataType, STRING } from '../model/data-type.js'
import type { TestDocument } from '../model/document.js'
import { locate } from '../model/parse/locate.js'
import type { Answer } from '../model-tests/compare-answer.js'
import { junitReport } from '../model-tests/junit.js'
import { runTest, type TestOutcome } from '../model-tests/run-test.js'
import { sarifReport } from '../model-tests/sarif.js'
import { type CommandIo, jsonOf, readArguments } from './command.js'
import type { NamedPrincipal } from './target/asking-as.js'
import { targetFlags } from './target/target-flags.js'
import { type Asked, withTarget } from './target/with-target.js'

const text = { type: 'string' } as const
export const flags = { ...targetFlags, dialect: text, junit: text, sarif: text, json: { type: 'boolean' } } as const

/** `test [MODEL] [--junit FILE] [--sarif FILE] [--json]`: the model's own tests on its database. Exit code 1 when one fails. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readArguments(args, flags)
  const { dialect, junit, sarif, json } = values
  return withTarget({ command: 'test', flags: values, positionals, io }, async (asked) => {
    const { name: model, tests } = await testsOf(asked)
    const outcomes: TestOutcome[] = []
    for (const [index, test] of tests.entries()) {
      const outcome = await runTest(test, index, (query) => ask(asked, { ...test, query }, dialect))
      asked.signal?.throwIfAborted()
      outcomes.push(outcome)
      if (!json) io.stdout.write(lines(outcome))
    }
    const failed = outcomes.filter((outcome) => outcome.status !== 'passed').length
    io.stdout.write(
      json
        ? `${JSON.stringify({ passed: outcomes.length - failed, failed, tests: outcomes }, null, 2)}\n`
        : summary(outcomes.length, failed),
    )
    if (junit !== undefined) await write(path.resolve(io.cwd, junit), junitReport(model ?? asked.name, outcomes))
    if (sarif !== undefined) {
      const places =
        asked.source === undefined
          ? []
          : locate(
              asked.source,
              outcomes.map(({ index }) => ({ segments: ['tests', index] })),
            )
      const log = sarifReport(outcomes, { file: asked.name, version: VERSION, lineOf: (index) => places[index]?.line })
      await write(path.resolve(io.cwd, sarif), `${JSON.stringify(log, null, 2)}\n`)
    }
    return failed === 0 ? 0 : 1
  })
}

/** The tests of the model, after those that it inherits. */
async function testsOf({
  client,
  target,
  signal,
  local,
}: Asked): Promise<{ readonly name?: string | undefined; readonly tests: readonly TestDocument[] }> {
  // Whom access rules bind does not see the tests, which have numbers of the whole data.
  const own = local?.service.listModels(local.sessionId, undefined)[0]?.model
  if (own) return { name: own.name, tests: own.document.tests ?? [] }
  const answer = await client.send({ method: 'GET', path: '/v1/tests', url: { ...target } }, { signal })
  return jsonOf(answer)
}

async function ask(
  { client: own, clientAs, target, signal }: Asked,
  { query, as }: Pick<TestDocument, 'query' | 'as'>,
  dialect: string | undefined,
): Promise<Answer> {
  const client = as === undefined ? own : clientAs(as as NamedPrincipal)
  const body = { ...target, query, ...(dialect !== undefined && { dialect }) }
  const response = await client.send({ method: 'POST', path: '/v1/query/execute', body }, { signal })
  const { columns, rows, truncated } = await jsonOf<{
    readonly columns: readonly AnswerColumn[]
    readonly rows: readonly (readonly Scalar[])[]
    readonly truncated: boolean
  }>(response)
  return { columns: columns.map(({ name, type }) => ({ name, type: parseDataType(type) ?? STRING })), rows, truncated }
}

const lines = ({ name, status, differences }: TestOutcome): string =>
  `${status === 'passed' ? 'ok  ' : 'FAIL'} ${name}\n${differences.map((difference) => `       ${difference}\n`).join('')}`

function summary(all: number, failed: number): string {
  if (all === 0) return 'The model has no tests\n'
  return `${all} ${all === 1 ? 'test' : 'tests'}, ${failed} failed\n`
}

async function write(file: string, content: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, content)
}
