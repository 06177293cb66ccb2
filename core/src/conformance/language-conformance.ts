/**
 * What every language must do, as a function that its own test calls with itself:
 *
 *     languageConformance(t, { language, one: 'Revenue by Country', faulty: 'Revenu by Country' })
 */
import { strict as assert } from 'node:assert'
import type { CompileContext } from '../compile/compile-context.js'
import { compile } from '../compile.js'
import { GrainlineError } from '../errors.js'
import type { TestRunner } from '../execute/vendor-conformance.js'
import type { Language, NamedModel, Reading } from '../language/language.js'
import { builtInAggregates } from '../model/functions/aggregates.js'
import { builtInFunctions } from '../model/functions/catalogue.js'
import { parseModelSync } from '../model/load-model.js'
import { parseQuery } from '../query/parse-query.js'
import { standard } from '../sql/standard.js'

/** A language, and statements in it about a model `shop` with the dimension `Country`, the measure `Revenue` and no other fields. */
export interface LanguageUnderTest {
  readonly language: Language
  /** Revenue by country. */
  readonly one: string
  /** The same, with a field that the model does not have. */
  readonly faulty: string
}

const MODEL = `
version: 1
name: shop
dataObjects:
  Orders:
    code: orders
    columns:
      Order: { code: id, abstractType: int, primaryKey: true }
      Country: { code: country, abstractType: string }
      Amount: { code: amount, abstractType: float }
dimensions:
  Country: { dataObject: Orders, column: Country, resultType: string }
measures:
  Revenue: { columns: [{ dataObject: Orders, column: Amount }], resultType: float, aggregation: sum }
`

/** Runs the tests that every language passes: a statement becomes a query of its model, the same each time, or a refusal with its place. */
export function languageConformance(t: TestRunner, { language, one, faulty }: LanguageUnderTest): void {
  const say = (name: string, body: () => Promise<void>) => t.test(`${language.name}: ${name}`, body)
  const catalogue = { functions: builtInFunctions, aggregates: builtInAggregates }
  const { model } = parseModelSync({ text: MODEL, ...catalogue })
  assert.ok(model, 'the model of the suite is valid')
  const shop: NamedModel = { names: ['shop'], model }
  const read = (text: string, models: readonly NamedModel[] = [shop]): Promise<Reading> =>
    language.read({ text, scope: { models, chosen: models[0] }, parameters: [], now: () => new Date(0), ...catalogue })

  say('its name is a plain word', async () => assert.match(language.name, /^[a-z][a-z0-9-]*$/))

  say('a statement of one model becomes a query that compiles, with its columns', async () => {
    const reading = await read(one)
    assert.ok(reading.kind === 'model_query', `it is ${reading.kind}`)
    assert.equal(reading.modelQuery.model, shop)
    const context: CompileContext = { dialect: standard, ...catalogue, now: new Date(0), storedTypes: 'declared' }
    const { columns } = compile(parseQuery(reading.modelQuery.query), model, context)
    assert.deepEqual(columns.map(({ name }) => name).toSorted(), ['Country', 'Revenue'])
    for (const { column } of reading.items)
      assert.ok(
        columns.some(({ name }) => name === column),
        `${column} is no column`,
      )
  })

  say('the same text gives the same query', async () => {
    const [first, second] = [await read(one), await read(one)]
    assert.ok(first.kind === 'model_query' && second.kind === 'model_query')
    assert.deepEqual(first.modelQuery.query, second.modelQuery.query)
  })

  for (const [what, text] of [
    ['a field that is not there', faulty],
    ['an empty text', ''],
    ['no statement', '\u0000 ) ;;; ('],
  ] as const)
    say(`${what} is refused at its place`, async () => {
      const refusal = await read(text).then(
        (reading) => reading.kind,
        (error: unknown) => error,
      )
      assert.ok(refusal instanceof GrainlineError, `it was read: ${refusal}`)
      assert.notEqual(refusal.code, 'INTERNAL_ERROR')
      assert.equal(refusal.details.path, 'sql')
      if (text === faulty) assert.equal(typeof refusal.details.context?.position, 'number')
    })

  say('without a model the statement is refused', async () => {
    await assert.rejects(read(one, []), (error) => error instanceof GrainlineError)
  })

  say('the first relation of a model has its name and its fields', async () => {
    const [main] = await language.relations(model, catalogue)
    assert.equal(main?.suffix, '')
    const names = main?.columns.map(({ name }) => name) ?? []
    for (const name of ['Country', 'Revenue']) assert.ok(names.includes(name), `${name} is no column of it`)
  })

  say('a statement without parameters has none', async () => {
    assert.deepEqual(await language.parameterTypes(one, async () => []), [])
  })
}
