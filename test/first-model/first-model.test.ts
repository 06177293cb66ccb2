/**
 * `init` on public schemas: its model loads without a warning, its examples answer, and so do most of fourteen questions, as SQL that was
 * written by hand. The models that one would keep are beside the tables.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { parseModelSync } from '../../core/src/model/load-model.js'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import { oneIn } from '../support/amount.js'
import { ask, difference } from '../support/answers.js'
import { compileFor } from '../support/compile.js'
import { created } from './created.js'
import { expected } from './expected.js'
import { holdsFigures } from './figures.js'

interface Question {
  readonly ask: string
  /** Absent if the first model cannot answer it. */
  readonly query?: {
    readonly dimensions: readonly string[]
    readonly measures: readonly string[]
    readonly where?: readonly object[]
  }
  readonly sql: string
}

const here = import.meta.dirname

for (const [name, { objects, roles, bridges, months, noise, sums }] of oneIn(2, Object.entries(expected))) {
  t.test(name, async (t) => {
    const source = path.join(here, name)
    const { file, text } = await created(name)
    const { model, errors, warnings } = parseModelSync({ text })
    t.same([errors, warnings], [[], []], 'it loads without a warning')
    if (!model) return
    const shown = [...model.dimensions.values()].filter(({ hidden }) => !hidden)
    const measures = [...model.measures.values()].filter(({ rowCountOf }) => rowCountOf === undefined)
    t.same([...model.dataObjects.keys()].filter((object) => !roles.includes(object)).sort(), objects, 'objects')
    t.same(
      roles.filter((role) => !model.dataObjects.has(role)),
      [],
      'roles',
    )
    t.same(
      [...model.dataObjects.values()]
        .filter(({ bridge }) => bridge)
        .map((object) => object.name)
        .sort(),
      bridges,
      'bridges',
    )
    t.same(
      shown
        .filter(({ timeGrain }) => timeGrain === 'month')
        .map((each) => each.name)
        .sort(),
      months,
      'times',
    )
    t.same(
      shown.filter((dimension) => noise.test(dimension.name)).map((each) => each.name),
      [],
      'no noise',
    )
    t.same(
      measures
        .filter(({ aggregation }) => aggregation === 'sum')
        .map((each) => each.name)
        .sort(),
      sums,
      'sums that one would keep',
    )
    const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' })
    const reading = await instance.connect()
    t.teardown(() => {
      reading.closeSync()
      instance.closeSync()
    })
    await answersExamples(t, model, reading)
    const questions = parse(readFileSync(path.join(source, 'questions.yaml'), 'utf8')) as Question[]
    t.equal(questions.length, 14)
    const answered = []
    for (const question of questions) if (await answers(t, question, model, reading)) answered.push(question.ask)
    t.ok(answered.length >= 12, `${answered.length} of ${questions.length} questions are answered at once`)
    const asked = parse(text) as { readonly decisions?: readonly object[] }
    holdsFigures(t, name, [`${answered.length} of ${questions.length}`, `${asked.decisions?.length ?? 0}`])
  })
}

async function answersExamples(t: Test, model: SemanticModel, connection: DuckDBConnection): Promise<void> {
  t.equal(model.examples.length, 3, 'three examples')
  for (const { name, query } of model.examples) {
    const { rows } = await ask(connection, compileFor(query, model).sql)
    t.ok(rows.length > 0, name)
  }
}

/** Whether the model answers; a wrong answer fails. */
async function answers(
  t: Test,
  { ask: words, query, sql }: Question,
  model: SemanticModel,
  connection: DuckDBConnection,
): Promise<boolean> {
  const wanted = await ask(connection, sql)
  if (query === undefined) return false
  const { dimensions, measures, where } = query
  const found = await ask(connection, compileFor({ select: { dimensions, measures }, ...(where && { where }) }, model).sql)
  t.equal(difference(found, { ...wanted, columns: found.columns }, false), undefined, words)
  return true
}
