/** Names and notes that attack a text in another format: each is written so that the text is read again, and no export holds the event loop. */
import type { Exported, Exporter, Importer } from '@grainline/core'
import t from 'tap'
import { stringify } from 'yaml'
import { parseModelSync } from '../../core/src/model/load-model.js'
import * as databricksExports from '../../plugins/importer-databricks/src/export/exporter.js'
import { importer as databricks } from '../../plugins/importer-databricks/src/importer.js'
import { exporter as ossieExporter } from '../../plugins/importer-ossie/src/export/exporter.js'
import { importer as ossie } from '../../plugins/importer-ossie/src/importer.js'
import * as snowflakeExports from '../../plugins/importer-snowflake/src/export/exporter.js'
import { importer as snowflake } from '../../plugins/importer-snowflake/src/importer.js'
import { bestOf, keepsTurns } from '../longest-turn.js'
import { oneIn } from '../support/amount.js'
import { exportOf } from './exported-models.js'

const EXPORTERS: readonly { readonly exporter: Exporter; readonly importer: Importer; readonly between?: RegExp }[] = [
  { exporter: databricksExports.yamlExporter, importer: databricks, between: /^---\n/m },
  { exporter: databricksExports.statementExporter, importer: databricks, between: /\n(?=CREATE OR REPLACE VIEW )/ },
  { exporter: ossieExporter, importer: ossie },
  { exporter: snowflakeExports.yamlExporter, importer: snowflake },
  { exporter: snowflakeExports.statementExporter, importer: snowflake },
]

const HOSTILE = [
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null', 'true', '1', '1e3', 'SELECT'],
  ...[`a"b`, `a'b`, 'a`b', `''`, `""`, 'a$$b', '$$', '$', 'a$', 'a\\', 'a\\$', 'a\\$$', '\\$$$', `'\\''`, `"\\""`],
  ...['a;DROP TABLE x;--', 'a--b', 'a/*b', '*/', 'a) AS b', 'a, b', 'a.b', '{x', 'x}', '{{ x }}', `\${x}`],
  ...['a\nb', 'a\r\nb', 'a\tb', 'a\u0085b', 'a\u2028b', 'a\u200bb', '\u202eabc', '日本', '\u{1f600}', ' a', 'a '],
  ...['-', '- a', ': a', 'a: b', '# a', 'a #b', '&a', '*a', '!!x', '|', '>', '%', '@', '---', '...', '?', '<<', '='],
]

/** The word in each place of a model that a text repeats. */
function modelWith(word: string) {
  const amount = { dataObject: `T ${word}`, column: 'amount' }
  const { model, errors } = parseModelSync({
    json: {
      version: 1,
      name: `N ${word}`,
      description: word,
      dataObjects: {
        [`T ${word}`]: {
          code: 'orders',
          description: word,
          columns: {
            [`C ${word}`]: { code: 'status', abstractType: 'string', description: word },
            amount: { code: 'amount', abstractType: 'float' },
            customer: { code: 'customer', abstractType: 'int' },
          },
          joins: [{ joinType: 'many-to-one', joinTo: 'B', columnsFrom: ['customer'], columnsTo: ['id'], pathName: `J ${word}` }],
        },
        B: { code: 'b', columns: { id: { code: 'id', abstractType: 'int', primaryKey: true } } },
      },
      dimensions: JSON.parse(
        `{${JSON.stringify(word)}: ${JSON.stringify({ dataObject: `T ${word}`, column: `C ${word}`, synonyms: [word], description: word })}}`,
      ),
      measures: {
        [`M ${word}`]: {
          aggregation: 'sum',
          columns: [amount],
          description: word,
          synonyms: [word, 'z'],
          filters: [
            {
              column: { dataObject: `T ${word}`, column: `C ${word}` },
              operator: 'equals',
              values: [{ dataType: 'string', valueString: word }],
            },
          ],
        },
      },
      metrics: { [`F ${word}`]: { expression: '{[Plain]} + 1', synonyms: [word] } },
      ...{ extends: [stringify({ measures: { Plain: { aggregation: 'sum', columns: [amount] } } })] },
    },
  })
  if (!model) throw new Error(`${JSON.stringify(word)}: ${JSON.stringify(errors)}`)
  return model
}

const textOf = ({ content }: Exported): string =>
  'text' in content ? content.text : stringify(content.yaml, { aliasDuplicateObjects: false })

/** What is wrong with a word in the texts of an exporter. */
async function faultsOf(word: string, { exporter, importer, between }: (typeof EXPORTERS)[number]): Promise<readonly unknown[]> {
  const text = textOf(await exportOf(modelWith(word), exporter))
  const faults: unknown[] = []
  for (const part of between ? text.split(between) : [text]) {
    const read = await importer.read({ text: part })
    if ('faults' in read) faults.push(...read.faults)
    else faults.push(...read.losses.filter(({ kind }) => kind === 'refused'))
    const isKept = 'faults' in read || JSON.stringify(read.document).includes(JSON.stringify(word))
    // Without its extension, a text of Ossie has other names.
    if (!isKept && exporter.name !== 'ossie' && part.includes('amount')) faults.push(`not in the document: ${part}`)
  }
  return faults
}

t.test('a hostile word is itself in every format', async (t) => {
  for (const word of oneIn(4, HOSTILE))
    for (const each of EXPORTERS) {
      const faults = await faultsOf(word, each)
      // Some of the words would end a line of the report of a test.
      const why = `${each.exporter.name}, ${JSON.stringify([word, ...faults])}`.replace(/[^ -~]/g, '?')
      t.equal(faults.length, 0, why)
    }
})

const lines = (count: number, line: (at: number) => string) => Array.from({ length: count }, (_, at) => line(at)).join('\n')

const LARGE: Readonly<Record<string, string>> = {
  'many columns': `version: 1
dataObjects:
  A:
    code: a
    columns:
${lines(6000, (at) => `      c${at}: { code: c${at}, abstractType: int }`)}
dimensions:
${lines(6000, (at) => `  d${at}: { dataObject: A, column: c${at} }`)}
measures:
${lines(6000, (at) => `  m${at}: { aggregation: sum, columns: [{ dataObject: A, column: c${at} }] }`)}
`,
  'names without a letter that every format has': `version: 1
dataObjects:
  A:
    code: a
    columns: { c: { code: c, abstractType: int } }
dimensions:
${lines(6000, (at) => `  "${String.fromCodePoint(0x4e00 + at)}": { dataObject: A, column: c }`)}
measures:
${lines(6000, (at) => `  "${String.fromCodePoint(0x8000 + at)}": { aggregation: sum, owner: x, columns: [{ dataObject: A, column: c }] }`)}
`,
}

const LARGE_EXPORTS = Object.entries(LARGE).flatMap(([what, text]) => EXPORTERS.map(({ exporter }) => ({ what, text, exporter })))

for (const { what, text, exporter } of oneIn(5, LARGE_EXPORTS))
  t.test(`${what}: an export as ${exporter.name} holds nobody up`, async (t) => {
    const { model, errors } = parseModelSync({ text })
    if (!model) throw new Error(JSON.stringify(errors))
    const best = await bestOf(async () => {
      const { written } = await exportOf(model, exporter)
      t.ok(written.length > 6000)
    })
    keepsTurns(t, best, 'the event loop was held')
  })
