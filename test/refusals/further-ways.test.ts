/** Applies each further way that an advice offers, as it is written: the finding is gone, and the question has the number that was meant. */
import { readFileSync } from 'node:fs'
import { type Finding, GrainlineError } from '@grainline/core'
import { errorCatalog, parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { type Dialect, defineDialect } from '../../core/src/sql/dialect.js'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { oneIn } from '../support/amount.js'
import { compileFor, loadText } from '../support/compile.js'
import { MODEL_WAYS } from './further-model-ways.js'
import { FURTHER_WAYS } from './further-ways.js'
import { meant } from './meant.js'
import { SHOP_DATA } from './numbers.js'

const poor = defineDialect(duckdb, { name: 'poor', functions: { sqrt: null }, aggregates: { median: null } })
const SHOP = readFileSync(new URL('../compile/shop.yaml', import.meta.url), 'utf8')

function changed(text: string, [was, is]: readonly [string, string]): string {
  if (!text.includes(was)) throw new Error(`the model has no ${was}`)
  return text.replace(was, () => is)
}

type Said = Pick<Finding, 'code' | 'message' | 'hint'>

function findingsOf(text: string, query: object, dialect?: Dialect): readonly Said[] {
  const { errors, warnings, model } = parseModelSync({ text })
  try {
    return [...errors, ...warnings, ...(model ? compileFor(query, model, dialect).warnings : [])]
  } catch (error) {
    if (!(error instanceof GrainlineError)) throw error
    return [...errors, ...warnings, { code: error.code, message: error.message, hint: error.details.hint }] as Said[]
  }
}

for (const way of oneIn(2, [...FURTHER_WAYS, ...MODEL_WAYS])) {
  const { code, says, model = [], query, poor: isPoor, ask = query, edit = [], means } = way
  t.test(`${code}: ${says.source}`, async (t) => {
    const before = model.reduce(changed, SHOP)
    const found = findingsOf(before, query, isPoor && poor).find((finding) => finding.code === code)
    t.match(`${found?.message} ${found?.hint ?? ''} ${errorCatalog[code].fix}`, says)
    const after = edit.reduce(changed, before)
    const isKept = way.isKept ?? (ask === query && edit.length === 0 && !isPoor)
    if (!isKept)
      t.notOk(
        findingsOf(after, ask).some((finding) => finding.code === code),
        'nothing is left to say',
      )
    await meant(t, SHOP_DATA, compileFor(ask, loadText(after)).sql, means, 'order_by' in ask)
  })
}
