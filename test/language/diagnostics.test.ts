/** Every diagnostic of the model language, with the words that it marks, without a browser or an editor. */
import type { LoadRequest } from '@grainline/core'
import { parseModelSync } from '@grainline/core/unstable'
import { type Diagnostic, diagnosticsOf, type Finding, readModelText } from '@grainline/language'
import t, { type Test } from 'tap'
import { commerce, edited, modelFaults } from '../support/model-faults.js'

function check(text: string, request: Omit<LoadRequest, 'text'> = {}): Diagnostic[] {
  const { errors, warnings } = parseModelSync({ text, ...request })
  return diagnosticsOf(readModelText(text), [...errors, ...warnings])
}

const wordsOf = (text: string, { from, to }: Diagnostic): string => text.slice(from, to)

/** The words that the diagnostic of a code marks. */
function marks(t: Test, text: string, code: string, words: string, request?: Omit<LoadRequest, 'text'>): void {
  const found = check(text, request).find((each) => each.code === code)
  t.equal(found && wordsOf(text, found), words, `${code}: ${found?.message}`)
}

t.test('a valid model has no diagnostics', async (t) => t.same(check(commerce), []))

for (const [code, path, words, from, to] of modelFaults) {
  t.test(`${code} at ${path} marks '${words}'`, async (t) => {
    const text = edited(from, to)
    const found = check(text).find((each) => each.code === code && each.path === path)
    t.equal(found && wordsOf(text, found), words, `there are ${check(text).map((each) => `${each.code} at ${each.path}`)}`)
  })
}

t.test('applying the suggested fix removes the diagnostic', async (t) => {
  let tried = 0
  for (const [code, path, , from, to] of modelFaults) {
    const text = edited(from, to)
    for (const { title, edits } of check(text).find((each) => each.code === code && each.path === path)?.fixes ?? []) {
      const fixed = edits.toReversed().reduce((now, edit) => now.slice(0, edit.from) + edit.text + now.slice(edit.to), text)
      t.notOk(
        check(fixed).some((each) => each.code === code && each.path === path),
        `${code} at ${path}: ${title}`,
      )
      tried++
    }
  }
  t.ok(tried > 15, `${tried} fixes`)
})

/** An expression in every YAML style, with the same error in the middle. */
const FORMS: Readonly<Record<string, string>> = {
  plain: 'expression: coalesce(1, {[Orders].[Amuont]}) * 2',
  single: "expression: '1 || ''it''''s'' || {[Orders].[Amuont]}'",
  double: 'expression: "1 || \'\\u00e9\\t\\"\' || {[Orders].[Amuont]}"',
  'double over lines': 'expression: "1 +\n      2 \\\n      + {[Orders].[Amuont]}"',
  'plain over lines': 'expression: coalesce(1,\n      2, {[Orders].[Amuont]})',
  literal: 'expression: |\n      1\n        + 2\n\n      + {[Orders].[Amuont]}\n',
  folded: 'expression: >-\n      1 +\n      2 +\n\n        3\n      + {[Orders].[Amuont]}\n',
}

t.test('a word of an expression is marked in every YAML style', async (t) => {
  for (const [form, written] of Object.entries(FORMS)) {
    const text = edited("expression: '{[Orders].[Amount]} * 2'", written)
    const found = check(text).find((each) => each.code === 'UNKNOWN_COLUMN_IN_EXPRESSION')
    t.equal(found && wordsOf(text, found), '{[Orders].[Amuont]}', form)
    const [edit] = found?.fixes[0]?.edits ?? []
    const fixed = edit && text.slice(0, edit.from) + edit.text + text.slice(edit.to)
    t.notOk(fixed === undefined || check(fixed).some((each) => each.code === 'UNKNOWN_COLUMN_IN_EXPRESSION'), `${form}, fixed`)
  }
})

t.test('an unfinished expression is marked at its end', async (t) => {
  marks(t, edited("'{[Orders].[Amount]} * 2'", "'2 *'"), 'INVALID_EXPRESSION', '*')
})

t.test('names with dots, quotes and brackets are found', async (t) => {
  const named = edited('  Country:\n    dataObject: Customers\n', `  "A.b ['c']":\n    dataObject: Custmers\n`)
  marks(t, named, 'UNKNOWN_DATA_OBJECT', 'Custmers')
  marks(t, edited('    dataObject: Customers\n', '    dataObject: "Custmers"\n'), 'UNKNOWN_DATA_OBJECT', 'Custmers')
})

t.test('an error in a fragment or a parent is marked at the reference in the document', async (t) => {
  const extended = edited('name: commerce', 'name: commerce\nextends: ["dimensions: {X: {dataObject: Nobody, column: Id}}"]')
  const [found] = check(extended)
  t.equal(found && wordsOf(extended, found), 'dimensions: {X: {dataObject: Nobody, column: Id}}')
  t.match(found?.message, /^In extends\[0\], line 1: /)
  const inherited = edited('name: commerce', 'name: commerce\ninherits: base.yaml')
  const finding: Finding = {
    code: 'UNKNOWN_COLUMN',
    message: 'Broken',
    path: 'dimensions.Country.column',
    severity: 'error',
    line: 3,
    column: 1,
    context: { source: '/models/base.yaml' },
  }
  const [parent] = diagnosticsOf(readModelText(inherited), [finding])
  t.equal(parent && wordsOf(inherited, parent), 'base.yaml')
})

t.test('a finding without a line is located by its path, or by the longest existing part of it', async (t) => {
  const at = (path: string): string => {
    const [found] = diagnosticsOf(readModelText(commerce), [{ code: 'INVALID_EXAMPLE', message: '', path, severity: 'warning' }])
    return wordsOf(commerce, found!)
  }
  t.equal(at('examples[0].query.select.measures[0]'), 'Revenue')
  t.equal(at('examples[0].query'), 'query')
  t.equal(at('examples[0].query.where[3].field'), 'query')
  t.equal(at('nowhere.at.all'), 'version: 1.0')
})

t.test('SQL that a client must not send is marked at the call', async (t) => {
  const rights = { sql: false, schemas: [], system: [] } as const
  marks(t, edited('{[Orders].[Amount]} * 2', 'soundex({[Customers].[Country]})'), 'MODEL_SQL_DENIED', 'soundex', { rights })
})

t.test('no text causes an exception', async (t) => {
  for (let i = 0; i < commerce.length; i += 41) {
    const text = commerce.slice(0, i)
    for (const { from, to } of check(text)) t.ok(0 <= from && from <= to && to <= text.length, `cut at ${i}`)
  }
})
