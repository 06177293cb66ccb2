import { readdirSync, readFileSync } from 'node:fs'
import {
  builtInAggregates,
  builtInFunctions,
  compile,
  createHost,
  type GrainlineError,
  loadModel,
  parseQuery,
} from '@grainline/core'
import { dialectConformance } from '@grainline/core/testing'
import t from 'tap'
import { parse } from 'yaml'
import { quarry } from './index.js'

dialectConformance(t, quarry, {
  quoted: {
    plain: '`plain`',
    'Mixed Case': '`Mixed Case`',
    'a.b': '`a.b`',
    'say "hi"': '`say "hi"`',
    "it's": "`it's`",
    'back`tick': '`back``tick`',
    'br[ack]et': '`br[ack]et`',
    select: '`select`',
    'Größe 東京': '`Größe 東京`',
    'per%cent': '`per%cent`',
  },
  strings: {
    '': "''",
    plain: "'plain'",
    "it's": "'it''s'",
    "''": "''''''",
    'back\\slash': "'back\\\\slash'",
    "\\'; DROP TABLE t; --": "'\\\\''; DROP TABLE t; --'",
    'say "hi"': `'say "hi"'`,
    'line\nbreak': "'line\nbreak'",
    'Zürich 🚀': "'Zürich 🚀'",
    '100%_': "'100%_'",
  },
  literals: {
    true: 'TRUE',
    false: 'FALSE',
    date: "TO_DATE('2024-02-29')",
    time: "TIME '23:59:58'",
    timestamp: "TIMESTAMP '2024-02-29 23:59:58.5'",
    timestamp_tz: "TIMESTAMP WITH TIME ZONE '2024-02-29 23:59:58.5+00:00'",
  },
  refusedFunctions: ['json_value'],
  refusedAggregates: ['mode'],
})

const corpus = new URL('../../test/corpus/', import.meta.url)
const questions = readdirSync(new URL('questions/', corpus))
  .sort()
  .map(
    (file) =>
      parse(readFileSync(new URL(`questions/${file}`, corpus), 'utf8')) as { readonly name: string; readonly query: unknown },
  )

t.test('the whole corpus compiles, or is refused with the name of the feature that Quarry lacks', async (t) => {
  const { model } = await loadModel({ text: readFileSync(new URL('commerce.yaml', corpus), 'utf8') })
  const context = {
    dialect: quarry,
    functions: builtInFunctions,
    aggregates: builtInAggregates,
    now: new Date(0),
    storedTypes: 'declared',
  } as const
  t.ok(questions.length >= 60, `${questions.length} questions`)
  const refused: string[] = []
  for (const { name, query } of questions) {
    try {
      const { sql } = compile(parseQuery(query), model!, context)
      t.ok(sql.includes('`') && !/(?<!')"/.test(sql.replace(/'(?:[^']|'')*'/g, '')), name)
    } catch (error) {
      t.match(
        error,
        { code: /^UNSUPPORTED_/, message: /('json_value'|'mode'|^the elements of an array) cannot be .* on quarry$/ },
        name,
      )
      refused.push((error as GrainlineError).code)
    }
  }
  t.ok(refused.length <= 5, `${refused.length} refused`)
})

t.test('a config that names the package by its path uses the dialect', async (t) => {
  const host = await createHost({ plugins: ['./index.ts'], base: import.meta.dirname })
  t.teardown(() => host.close())
  t.same(host.dialects.names(), ['quarry'])
  const plugin = host.inspect().plugins.find(({ name }) => name === 'acme-grainline-dialect-quarry')
  t.match(plugin, { status: 'loaded' })
})
