import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { VERSION } from '../host/version.js'
import { locate } from '../model/parse/locate.js'
import type { Answer } from '../model-tests/answer.js'
import { junitReport } from '../model-tests/junit.js'
import { runTest, type TestOutcome } from '../model-tests/run-test.js'
import { sarifReport } from '../model-tests/sarif.js'
import { valueAt, zoneOffset } from '../result/index.js'
import type { SemanticService } from '../service.js'
import type { CommandIo } from './command.js'
import { readModelArgs, withModel } from './with-model.js'

/** `test FILE [--junit FILE] [--sarif FILE] [--json]`: the model's own tests on the configured database. Exit code 1 when one fails. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { file, values } = readModelArgs('test', args, {
    config: { type: 'string' },
    dialect: { type: 'string' },
    junit: { type: 'string' },
    sarif: { type: 'string' },
    json: { type: 'boolean' },
  })
  const { config, dialect, junit, sarif, json } = values
  return withModel({ file, config, execution: true }, io, async (service, { model, source }) => {
    const outcomes: TestOutcome[] = []
    for (const [index, test] of (model.document.tests ?? []).entries()) {
      const outcome = await runTest(test, index, (query) => ask(service, query, dialect))
      outcomes.push(outcome)
      if (!json) io.stdout.write(lines(outcome))
    }
    const failed = outcomes.filter((outcome) => outcome.status !== 'passed').length
    io.stdout.write(
      json
        ? `${JSON.stringify({ passed: outcomes.length - failed, failed, tests: outcomes }, null, 2)}\n`
        : summary(outcomes.length, failed),
    )
    if (junit !== undefined) await write(path.resolve(io.cwd, junit), junitReport(model.name ?? file, outcomes))
    if (sarif !== undefined) {
      const places = locate(
        source,
        outcomes.map(({ index }) => ({ segments: ['tests', index] })),
      )
      const log = sarifReport(outcomes, { file, version: VERSION, lineOf: (index) => places[index]?.line })
      await write(path.resolve(io.cwd, sarif), `${JSON.stringify(log, null, 2)}\n`)
    }
    return failed === 0 ? 0 : 1
  })
}

async function ask(service: SemanticService, query: unknown, dialect: string | undefined): Promise<Answer> {
  const { schema, batches, outcome } = await service.execute({ target: { sessionId: 'model' }, query, dialect })
  const offset = zoneOffset(outcome().timezone)
  const rows: Answer['rows'][number][] = []
  for await (const batch of batches) {
    for (let row = 0; row < batch.rowCount; row++) {
      rows.push(batch.columns.map((vector, i) => valueAt(vector, row, schema[i]!.type, offset)))
    }
  }
  return { columns: schema, rows, truncated: outcome().truncated }
}

const lines = ({ name, status, differences }: TestOutcome): string =>
  `${status === 'passed' ? 'ok  ' : 'FAIL'} ${name}\n${differences.map((difference) => `       ${difference}\n`).join('')}`

function summary(all: number, failed: number): string {
  if (all === 0) return 'The model has no tests\n'
  return `${all} ${all === 1 ? 'test' : 'tests'}, ${failed} failed\n`
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
}
