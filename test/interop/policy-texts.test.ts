/** Texts of policies are compared by code point on every engine, whatever the collation of a column ignores: capitals, accents, or spaces at the end. */
import t from 'tap'
import { compileShared, withHeldValues } from '../../core/src/compile/compile-shared.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import { boundBy, sharedView, viewFor } from '../../core/src/model/restrict.js'
import type { PhysicalTypes } from '../../core/src/model/stored-column.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import { loadText, NOW } from '../support/compile.js'
import { openEngineNamed } from './oracle-engines.js'
import type { Engine } from './suites.js'

const model = loadText(`
version: 1
dataObjects:
  Grants:
    code: grants
    columns: { Person: { code: person, abstractType: string }, Region: { code: region, abstractType: string } }
    joins: [{ joinType: many-to-one, joinTo: Regions, columnsFrom: [Region], columnsTo: [Name] }]
  Regions:
    code: regions
    columns: { Name: { code: name, abstractType: string, primaryKey: true }, Size: { code: size, abstractType: int } }
measures: { Sizes: { columns: [{ dataObject: Regions, column: Size }], aggregation: sum } }
access:
  attributes: { regions: { type: string, list: true }, region: { type: string, default: north }, person: { type: string, default: ann } }
  rows:
    - { name: listed, dataObject: Regions, where: { field: Regions.Name, op: in, value: { attribute: regions } }, unless: [one, granted] }
    - { name: one, dataObject: Regions, where: { field: Regions.Name, op: '=', value: { attribute: region } }, unless: [listed, granted] }
    - { name: granted, dataObject: Regions, where: { exists: Grants, filters: [{ field: Grants.Person, op: '=', value: { attribute: person } }] }, unless: [listed, one] }
`)

/** How the engine writes a column whose collation ignores capitals, where that is not the default. */
const COLLATED: Readonly<Record<string, string>> = { sqlite: 'VARCHAR(20) COLLATE NOCASE', postgres: 'VARCHAR(20) COLLATE ci' }

/** What the database says of its columns, as a server reads it. */
function storedIn(engine: string): PhysicalTypes {
  const sqlType = COLLATED[engine] ?? 'VARCHAR(20)'
  const text = { sqlType, ...(engine === 'postgres' && { collation: 'ci' }) }
  const columns = (...names: readonly string[]) =>
    new Map(names.map((name) => [name, name === 'size' ? { sqlType: 'BIGINT' } : text]))
  return new Map([
    ['Regions', columns('name', 'size')],
    ['Grants', columns('person', 'region')],
  ])
}
const ALIKE = ['north', 'North', 'NORTH', 'nörth', 'north ', 'ñorth']
const tables = (engine: string) => {
  const text = COLLATED[engine] ?? 'VARCHAR(20)'
  const rows = (values: readonly string[]) => values.map((value) => `(${value})`).join(', ')
  return `${engine === 'postgres' ? "CREATE COLLATION IF NOT EXISTS ci (provider = icu, locale = 'und-u-ks-level1', deterministic = false);" : ''}
CREATE TABLE regions (name ${text}, size BIGINT);
INSERT INTO regions VALUES ${rows(ALIKE.map((name, i) => `'${name}', ${10 ** i}`))};
CREATE TABLE grants (person ${text}, region ${text});
INSERT INTO grants VALUES ${rows(["'ann', 'north'", "'Ann', 'North'", "'ann ', 'NORTH'", "'änn', 'nörth'"])};`
}

const QUESTIONS = [{ select: { measures: ['Sizes'] } }, { select: { fields: ['Regions.Size'] } }]

for (const name of ['postgres', 'mysql', 'mariadb', 'sqlite', 'clickhouse'])
  t.test(name, async (t) => {
    const engine = await openEngineNamed(name).catch((error: Error): Engine | string => error.message)
    if (typeof engine === 'string') return void t.comment(`not run: ${engine}`)
    t.teardown(() => engine.close())
    await engine.load(tables(name))
    const context = { dialect: engine.dialect, functions: builtInFunctions, aggregates: builtInAggregates, now: NOW }
    for (const role of ['listed', 'one', 'granted'])
      for (const question of QUESTIONS) {
        const rights = { name: 'ann', roles: [role], attributes: { regions: ['north', 'none'] } }
        const view = viewFor(
          model,
          boundBy(model.access!, rights, () => '2025-06-15'),
          'secret',
          new Map(),
        )
        const general = compileShared(parseQuery(question), sharedView(view)!, { ...context, storedTypes: storedIn(name) })
        const { sql } = withHeldValues(general, view.restriction!.values!, engine.dialect)
        const { rows } = await engine.ask(sql, general.columns)
        t.same(
          rows.map(([size]) => Number(size)),
          [1],
          `${role}: ${sql}`,
        )
      }
  })
