/** Closures: the pairs of a row and one above it, for tables in which rows name their parents. */
import { readFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { trino } from '@grainline/dialect-trino'
import t from 'tap'
import { restrictedModel } from '../../core/src/model/access.js'
import { hiddenByAll } from '../../core/src/model/hidden-fields.js'
import { withoutFields } from '../../core/src/model/hide.js'
import { parseModelSync } from '../../core/src/model/load-model.js'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import { pageBlock } from '../docs/page.js'
import { witnesses } from '../interop/witnesses.js'
import { ask, type Cell } from '../support/answers.js'
import { compileFor, loadText } from '../support/compile.js'

const page = readFileSync(new URL('../../docs/accounts-and-sub-accounts.md', import.meta.url), 'utf8')

/** A tree of these rows (key, parent) as it is, or with other words in its model. */
const modelOf = (rows: string, { closure = '', more = '', sections = '' } = {}): string => `
name: tree
dataObjects:
  Nodes:
    code: (SELECT * FROM (VALUES ${rows}) t (id, up, shown))
    columns:
      Id: { code: id, abstractType: string, primaryKey: true }
      Up: { code: up, abstractType: string }
      Shown: { code: shown, abstractType: boolean }
${more}
  Tree:
    closure: { dataObject: Nodes, key: Id, parent: Up${closure} }
dimensions:
  Upper: { dataObject: Tree, column: Ancestor }
  Level: { dataObject: Tree, column: Level }
  Leaf: { dataObject: Tree, column: Is Leaf }
  Depth: { dataObject: Tree, column: Depth }
${sections}
`

const EVERY = {
  select: { fields: ['Tree.Ancestor', 'Tree.Descendant', 'Tree.Depth', 'Tree.Level', 'Tree.Is Leaf'] },
  order_by: [{ field: 'Tree.Ancestor' }, { field: 'Tree.Descendant' }],
}

async function pairsOf(model: SemanticModel, query: unknown = EVERY): Promise<readonly string[]> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    const { rows } = await ask(connection, compileFor(query, model).sql)
    return rows.map((row) => row.map((cell: Cell) => cell ?? '-').join(' '))
  } finally {
    connection.closeSync()
  }
}

t.test('the statement by hand has the numbers of the page', async (t) => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  t.teardown(() => connection.closeSync())
  await connection.run(pageBlock(page, 'ledger tables'))
  const query = {
    select: { dimensions: ['Sum Account', 'Level', 'Is Leaf'], measures: ['Amount'] },
    order_by: [{ field: 'Level' }, { field: 'Sum Account' }],
  }
  const ours = await ask(connection, compileFor(query, loadText(pageBlock(page, 'ledger model'))).sql)
  const theirs = await ask(connection, pageBlock(page, 'ledger by hand'))
  t.equal(ours.rows.length, 9)
  t.same(
    ours.rows.filter(([name]) => name !== null),
    theirs.rows.filter(([name]) => name !== null),
  )
})

t.test('circles, rows above themselves, parents that are no rows, and rows without a key', async (t) => {
  const rows =
    "('a', NULL, true), ('b', 'a', true), ('s', 's', true), ('u', 's', true), ('o', 'gone', true), ('x', 'y', true), ('y', 'x', true), ('z', 'y', true), (NULL, 'a', true)"
  t.same(await pairsOf(loadText(modelOf(rows))), [
    'a a 0 1 false',
    'a b 1 1 false',
    'b b 0 2 true',
    'o o 0 1 true',
    's s 0 1 false',
    's u 1 1 false',
    'u u 0 2 true',
    'x x 0 - false',
    'x y 1 - false',
    'x z 2 - false',
    'y x 1 - false',
    'y y 0 - false',
    'y z 1 - false',
    'z z 0 - true',
  ])
})

t.test('what hangs below a hidden row is at the top, hidden by a filter or by a policy', async (t) => {
  const rows = "('a', NULL, true), ('b', 'a', false), ('c', 'b', true), ('d', 'c', true)"
  const expected = ['a a 0 1 true', 'c c 0 1 false', 'c d 1 1 false', 'd d 0 2 true']
  const filtered = loadText(
    modelOf(rows, { sections: 'filters:\n  - { dataObject: Nodes, column: Shown, operator: equals, value: true }' }),
  )
  t.same(await pairsOf(filtered), expected)
  const restricted = restrictedModel(loadText(modelOf(rows)), {
    rows: filtered.filters.map((filter) => ({ ...filter, label: 'shown' })),
    missing: [],
    withholdsSql: true,
  })
  t.same(await pairsOf(restricted), expected)
})

t.test('a tree that is deeper than it may be is an error, and never cut', async (t) => {
  const chain = (length: number): string =>
    Array.from({ length }, (_, i) => `('n${i}', ${i === 0 ? 'NULL' : `'n${i - 1}'`}, true)`).join(', ')
  const limited = { closure: ', maxDepth: 3' }
  t.equal((await pairsOf(loadText(modelOf(chain(4), limited)))).length, 10, 'three steps')
  await t.rejects(pairsOf(loadText(modelOf(chain(5), limited))), /TREE_TOO_DEEP 3/)
  t.equal((await pairsOf(loadText(modelOf(chain(5), { closure: ', maxDepth: 4' })))).length, 15, 'with a greater maxDepth')
  const counted = { select: { measures: ['Nodes Count'] }, where: [{ field: 'Upper', op: '=', value: 'n0' }] }
  await t.rejects(pairsOf(loadText(modelOf(chain(5), limited)), counted), /TREE_TOO_DEEP 3/, 'also where nobody reads the depth')
  const circle = "('a', 'b', true), ('b', 'c', true), ('c', 'a', true)"
  t.equal((await pairsOf(loadText(modelOf(circle, { closure: ', maxDepth: 2' })))).length, 9, 'a circle has few steps')
  t.equal((await pairsOf(loadText(modelOf(chain(65))), EVERY)).length, (65 * 66) / 2, 'the greatest depth without maxDepth')
  await t.rejects(pairsOf(loadText(modelOf(chain(66)))), /TREE_TOO_DEEP 64/)
})

t.test('one recursive query for a question, without what it does not read', async (t) => {
  const model = loadText(modelOf("('a', NULL, true)"))
  const { sql } = compileFor({ select: { dimensions: ['Upper', 'Depth'], measures: ['Nodes Count'] } }, model)
  t.equal(sql.match(/RECURSIVE/g)?.length, 1)
  t.notMatch(sql, /is_root|level/i)
  const twice = compileFor(
    {
      select: { dimensions: ['Upper'], measures: ['Nodes Count'] },
      where: [
        {
          field: 'Nodes.Id',
          op: 'exists',
          subquery: { dataObject: 'Tree', pathName: 'ancestor', filter: [{ field: 'Depth', op: '>', value: 0 }] },
        },
      ],
    },
    model,
  )
  t.equal(twice.sql.match(/UNION ALL/g)?.length, 1)
})

t.test('a join by the ancestor, when it is pinned', async (t) => {
  const model = loadText(
    modelOf("('a', NULL, true), ('b', 'a', true), ('c', 'b', true)", {
      sections: '  Lower: { dataObject: Tree, column: Descendant }',
    }),
  )
  const query = {
    select: { dimensions: ['Lower'], measures: ['Nodes Count'] },
    use_path_names: [{ source: 'Tree', target: 'Nodes', path_name: 'ancestor' }],
    order_by: [{ field: 'Lower' }],
  }
  t.same(await pairsOf(model, query), ['a 1', 'b 2', 'c 3'], 'each row with those above it')
})

t.test('every engine has a recursive query, or is refused by name', (t) => {
  const model = loadText(modelOf("('a', NULL, true)"))
  const query = { select: { dimensions: ['Upper', 'Level', 'Leaf'], measures: ['Nodes Count'] } }
  for (const { dialect } of witnesses) {
    const refused = { code: 'UNSUPPORTED_SQL_FEATURE', message: new RegExp(dialect.name) }
    if (dialect.recursiveTable === null) t.throws(() => compileFor(query, model, dialect), refused)
    else t.match(compileFor(query, model, dialect).sql, /^WITH RECURSIVE/)
  }
  t.end()
})

t.test('beside a table that reads itself, Trino wants to know the columns of each', (t) => {
  const model = loadText(modelOf("('a', NULL, true)"))
  // The sums of an inner query are a table of the statement, too.
  const query = {
    select: { dimensions: ['Upper', 'Leaf'], measures: ['Nodes Count'] },
    top: { dimension: 'Upper', by: 'Nodes Count', n: 1 },
  }
  const { sql } = compileFor(query, model, trino)
  const tables = [...sql.matchAll(/"[^"]+"( \([^)]*\))? AS \(\s*SELECT/g)]
  t.ok(tables.length > 2, sql)
  t.same(
    tables.filter(([, columns]) => columns === undefined),
    [],
  )
  t.end()
})

const faultsOf = (text: string): readonly string[] => parseModelSync({ text }).errors.map(({ code, path }) => `${code} ${path}`)

t.test('what is no tree does not load', (t) => {
  const plain = modelOf("('a', NULL, true)")
  const changed = (from: string, to: string): readonly string[] => faultsOf(plain.replace(from, to))
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ['dataObject: Nodes, key', 'dataObject: Knots, key', ['UNKNOWN_DATA_OBJECT dataObjects.Tree.closure.dataObject']],
    ['key: Id', 'key: Idd', ['UNKNOWN_COLUMN dataObjects.Tree.closure.key']],
    ['parent: Up', 'parent: Upp', ['UNKNOWN_COLUMN dataObjects.Tree.closure.parent']],
    ['parent: Up', 'parent: Id', ['INVALID_CLOSURE dataObjects.Tree.closure.parent']],
    ['parent: Up', 'parent: Shown', ['INVALID_CLOSURE dataObjects.Tree.closure.parent']],
    ['string, primaryKey: true', 'string', ['INVALID_CLOSURE dataObjects.Tree.closure.key']],
    ['  Tree:\n', '  Tree:\n    code: nodes\n', ['INVALID_CLOSURE dataObjects.Tree.code']],
    [
      '  Tree:\n',
      '  Tree:\n    columns: { Depth: { expression: "1", abstractType: int } }\n',
      ['INVALID_CLOSURE dataObjects.Tree.columns.Depth'],
    ],
    [
      '  Tree:\n',
      '  Tree:\n    columns: { More: { code: more, abstractType: int } }\n',
      ['INVALID_CLOSURE dataObjects.Tree.columns.More'],
    ],
    ['parent: Up }', 'parent: Up, maxDepth: 0 }', ['SCHEMA_VALIDATION dataObjects.Tree.closure.maxDepth']],
    ['parent: Up }', 'parent: Up, maxDepth: 401 }', ['SCHEMA_VALIDATION dataObjects.Tree.closure.maxDepth']],
  ]
  for (const [from, to, faults] of cases) t.match(changed(from, to), faults, to)
  t.same(faultsOf(plain), [], 'without them it is a tree')
  t.same(
    faultsOf(plain.replace('  Tree:\n', '  Tree:\n    columns: { Twice: { expression: "{Depth} * 2", abstractType: int } }\n')),
    [],
  )
  t.end()
})

t.test('a filter that reads the pairs of the rows that it leaves is refused', (t) => {
  const own = '      Above Others: { exists: Tree, pathName: ancestor, filters: [{ field: Depth, op: ">", value: 0 }] }'
  const filter = 'filters:\n  - { dataObject: Nodes, column: Above Others, operator: equals, value: true }'
  const faults = faultsOf(modelOf("('a', NULL, true)", { more: own, sections: filter }))
  t.same(faults, ['CYCLIC_FILTER filters[0]'])
  t.same(faultsOf(modelOf("('a', NULL, true)", { more: own })), [], 'the column alone is one')
  t.end()
})

t.test('a closure is bound as its object is, and has no policy of its own', (t) => {
  const access = (dataObject: string): string =>
    `access:\n  rows:\n    - { name: shown, dataObject: ${dataObject}, where: { field: ${dataObject}.${dataObject === 'Nodes' ? 'Shown' : 'Depth'}, op: '=', value: ${dataObject === 'Nodes' ? 'true' : '1'} } }`
  t.same(faultsOf(modelOf("('a', NULL, true)", { sections: access('Nodes') })), [])
  t.match(faultsOf(modelOf("('a', NULL, true)", { sections: access('Tree') })), [
    'POLICY_DOES_NOT_BIND access.rows[0].dataObject',
  ])
  t.end()
})

t.test('a closure over a hidden column is hidden', (t) => {
  const model = loadText(
    modelOf("('a', NULL, true)", { sections: 'access:\n  rows: []\n  fields:\n    - { hide: [Nodes.Up], unless: [admin] }' }),
  )
  const hidden = hiddenByAll((model.access?.fields ?? []).map((rule) => rule.hidden))
  const view = withoutFields(model, hidden, (name) => `\u0001${name}`)
  t.notOk([...view.dimensions.keys()].some((name) => ['Upper', 'Level', 'Leaf', 'Depth'].includes(name)))
  t.end()
})
