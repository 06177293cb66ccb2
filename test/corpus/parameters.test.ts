/**
 * Every question of the corpus over a model whose constants are parameters. Each answer is the same, and no stage before the text of the statement knows a value: all
 * of them are equal for other values.
 */
import { DuckDBInstance } from '@duckdb/node-api'
import { duckdb } from '@grainline/dialect-duckdb'
import t from 'tap'
import { compileThrough, type Stage } from '../../core/src/compile.js'
import { GrainlineError } from '../../core/src/errors.js'
import { type Expr, isInner, isLiteral, type Literal, mapOperands } from '../../core/src/model/expression/ast.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import type { ParameterValue, ParameterValues } from '../../core/src/model/parameter.js'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import type { Dialect } from '../../core/src/sql/dialect.js'
import { oneIn } from '../support/amount.js'
import { ask, difference } from '../support/answers.js'
import { loadText } from '../support/compile.js'
import { DIALECTS, dataSql, FURTHER_DIALECTS, modelText, NOW, readQuestions } from './corpus.js'

const connection = await (await DuckDBInstance.create(':memory:')).connect()
await connection.run("SET TimeZone = 'UTC'")
await connection.run(dataSql())
t.teardown(() => connection.closeSync())

const { model, values } = withParameters(loadText(modelText()))
const others = new Map([...values].map(([name, value]) => [name, otherThan(value)]))

/** A value of the same type and length. */
function otherThan(value: Literal['value']): Literal['value'] {
  if (typeof value === 'string')
    return value.replace(/[0-9a-z]/g, (letter) => (letter === '4' ? '5' : letter === '0' ? '0' : '4'))
  return typeof value === 'boolean' ? !value : 7
}

for (const { name, query, truth, ordered = false } of oneIn(4, readQuestions())) {
  t.test(name, async (t) => {
    const [one, other] = [stagesOf(query, values), stagesOf(query, others)]
    t.same(other.stages, one.stages, 'no stage depends on a value')
    const [found, wanted] = [await ask(connection, one.sql), await ask(connection, truth)]
    t.equal(difference(found, { ...wanted, columns: found.columns }, ordered), undefined, 'the answer is the same')
  })
}

t.test('the model has parameters in each of these places', async (t) => {
  t.ok(values.size > 20, `${values.size} parameters`)
})

const SHOP = `
version: 1
dataObjects:
  Items: { code: items, columns: { Id: { code: id, abstractType: int, primaryKey: true }, Asked: { expression: "'asked'" }, Number: { expression: '1' } } }
dimensions: { Asked: { dataObject: Items, column: Asked }, Number: { dataObject: Items, column: Number } }
measures: { Items: { aggregation: count, columns: [{ dataObject: Items, column: Id }] } }`
const shop = withParameters(loadText(SHOP)).model
const BY_TEXT = { select: { dimensions: ['Asked'], measures: ['Items'] } }
const BY_NUMBER = { select: { dimensions: ['Number'], measures: ['Items'] }, order_by: [{ field: 'Number' }] }

t.test('a text is data, whatever is in it', async (t) => {
  await connection.run('CREATE SCHEMA shop; CREATE TABLE shop.items AS SELECT 1 AS id')
  await connection.run("SET search_path = 'shop'")
  for (const value of ["x' OR 1 = 1 --", '"; DROP TABLE items; --', '\\', "\\'", '?', '$1', '{@Asked}', '', '  ']) {
    const { sql } = compiled(BY_TEXT, shop, new Map([['p1', value]]))
    t.same((await ask(connection, sql)).rows, [[value, '1']], sql)
    for (const dialect of [...DIALECTS, ...FURTHER_DIALECTS])
      t.equal(textWithout(dialect, value), textWithout(dialect, 'asked'), `${dialect.name}: ${value}`)
  }
  t.same((await ask(connection, compiled(BY_TEXT, shop, new Map([['p1', null]])).sql)).rows, [[null, '1']])
  await connection.run('RESET search_path')
})

/** The statement without the literal of its parameter, and on one line. */
function textWithout(dialect: Dialect, value: string): string {
  const { sql } = compiled(BY_TEXT, shop, new Map([['p1', value]]), dialect)
  return sql.replaceAll(dialect.literals.string(value), 'VALUE').replace(/\s+/g, ' ')
}

t.test('a number is no position, and has the type of its parameter', async (t) => {
  for (const value of [1, 2, -3, 7n, '9007199254740993']) {
    const { sql } = compiled(BY_NUMBER, shop, new Map([['p2', value]]))
    t.match(sql, `CAST(${value} AS BIGINT) AS "Number"`)
  }
})

t.test('what is no value of the type is refused, and so is a parameter without a value', async (t) => {
  for (const value of ['1; DROP TABLE items', '1.5', 1.5, true, '', ' 1', '1e3', '9223372036854775808', 'NULL', Number.NaN])
    t.equal(
      codeOf(() => compiled(BY_NUMBER, shop, new Map([['p2', value]]))),
      'INVALID_FILTER_VALUE',
      String(value),
    )
  t.equal(
    codeOf(() => compiled(BY_TEXT, shop, new Map([['p1', 5]]))),
    'INVALID_FILTER_VALUE',
  )
  t.equal(
    codeOf(() => compiled(BY_TEXT, shop, new Map())),
    'INTERNAL_ERROR',
  )
  t.equal(
    codeOf(() => compiled(BY_TEXT, shop, new Map<string, ParameterValue>([['p1', ['asked']]]))),
    'INTERNAL_ERROR',
  )
})

function codeOf(run: () => unknown): string | undefined {
  try {
    run()
  } catch (error) {
    if (error instanceof GrainlineError) return error.code
    throw error
  }
  return undefined
}

function stagesOf(query: unknown, given: ParameterValues): { readonly sql: string; readonly stages: readonly unknown[] } {
  const stages: unknown[] = []
  const { sql } = compiled(query, model, given, duckdb, (_, value) => {
    stages.push(value)
    return value
  })
  return { sql, stages }
}

function compiled(
  query: unknown,
  of: SemanticModel,
  parameters: ParameterValues,
  dialect: Dialect = duckdb,
  arrow: <T>(stage: Stage, value: T) => T = (_, value) => value,
) {
  const given = { functions: builtInFunctions, aggregates: builtInAggregates, now: NOW, storedTypes: 'declared' } as const
  return compileThrough(parseQuery(query), of, { ...given, dialect, parameters, checksRules: true }, arrow)
}

/** The model with a parameter in place of each constant of its expressions, and their values. */
function withParameters(of: SemanticModel): {
  readonly model: SemanticModel
  readonly values: ReadonlyMap<string, Literal['value']>
} {
  const values = new Map<string, Literal['value']>()
  const parameterOf = ({ value, type }: Literal) => {
    const name = `p${values.size + 1}`
    values.set(name, value)
    return { kind: 'parameter', name, type } as const
  }
  const inside = <L extends { readonly kind: string }>(expr: Expr<L>): Expr<L> => {
    if (isLiteral(expr)) return expr.value === null ? expr : parameterOf(expr)
    if (!isInner<L>(expr)) return expr
    // Other functions need a literal, such as the unit of time or the path in a document.
    return expr.kind === 'call' && expr.name !== 'coalesce' && expr.name !== 'nullif'
      ? mapOperands<L, L>(expr, (operand) => (isLiteral(operand) ? operand : inside<L>(operand)))
      : mapOperands<L, L>(expr, (operand) => inside<L>(operand))
  }
  const mapped = <V>(map: ReadonlyMap<string, V>, change: (value: V) => V) =>
    new Map([...map].map(([key, value]) => [key, change(value)]))
  const model: SemanticModel = {
    ...of,
    dataObjects: mapped(of.dataObjects, (object) => ({
      ...object,
      columns: mapped(object.columns, (column) =>
        column.source.kind !== 'expression'
          ? column
          : { ...column, source: { kind: 'expression', expression: inside(column.source.expression) } },
      ),
    })),
    dimensions: mapped(of.dimensions, (dimension) => ({ ...dimension, expression: inside(dimension.expression) })),
    measures: mapped(of.measures, (measure) => ({ ...measure, inputs: measure.inputs.map((input) => inside(input)) })),
    metrics: mapped(of.metrics, (metric) =>
      metric.type === 'derived' ? { ...metric, expression: inside(metric.expression) } : metric,
    ),
  }
  return { model, values }
}
