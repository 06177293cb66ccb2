/** A static filter on a column over other rows does not load exactly if the oracle finds that the column counts or finds only rows that the filter leaves. */
import t from 'tap'
import { parseModelSync } from '../../core/src/model/load-model.js'
import { amount, oneIn } from '../support/amount.js'
import { generateCase } from './generate/case.js'
import type { Later } from './generate/later.js'
import { filteredByMade, measuredColumns, rowsFiltered } from './generate/later-entities.js'
import { foundColumns } from './generate/later-existence.js'
import { asWritten, type ModelJson, type StaticFilterJson } from './model.js'

const seed = Number(process.env['ORACLE_SEED'] ?? 20260115)
const all = Array.from({ length: Number(process.env['ORACLE_CASES'] ?? amount(150, 1500)) }, (_, number) => number)
/** Of many models, while `caseNumbers` has all questions of a few. */
const CASES = process.env['ORACLE_CASES'] === undefined ? oneIn(6, all) : all

const isRefused = (model: ModelJson): boolean =>
  parseModelSync({ json: asWritten(model) }).errors.some(({ code }) => code === 'CYCLIC_FILTER')

interface Kind {
  readonly kinds: readonly Later[]
  readonly columns: (model: ModelJson) => readonly { readonly dataObject: string; readonly column: string }[]
  readonly test: Omit<StaticFilterJson, 'dataObject' | 'column'>
}

const KINDS: Readonly<Record<string, Kind>> = {
  measured: {
    kinds: ['entities', 'ways', 'bridges', 'sisters'],
    columns: (model) => measuredColumns(model).filter(({ definition }) => definition.abstractType === 'int'),
    test: { operator: '>=', value: 0 },
  },
  // Of a join that finds the row of a time, the rows that the filter leaves decide which one is found.
  found: {
    kinds: ['existence', 'validity', 'ways', 'bridges', 'sisters'],
    columns: foundColumns,
    test: { operator: 'eq', value: true },
  },
}

for (const [name, { kinds, columns, test }] of Object.entries(KINDS))
  t.test(`static filters on ${name} columns of ${CASES.length} generated models (ORACLE_SEED=${seed})`, async (t) => {
    const counts = { refused: 0, loaded: 0 }
    for (const index of CASES) {
      const { model, data } = generateCase(seed, index, kinds)
      for (const { dataObject, column } of columns(model)) {
        for (const filtered of filteredByMade(model, { dataObject, column }, test)) {
          const expected = rowsFiltered({ model: filtered, data })
          const isExpected = 'refused' in expected && expected.refused === 'CYCLIC_FILTER'
          // A column that has no answer itself can be refused for both.
          if ('refused' in expected && !isExpected) continue
          counts[isExpected ? 'refused' : 'loaded']++
          if (isRefused(filtered) !== isExpected)
            t.fail(`case ${index}: ${dataObject}.${column} is ${isExpected ? '' : 'not '}cyclic`)
        }
      }
    }
    t.ok(counts.refused > CASES.length / 10 && counts.loaded > CASES.length / 10, JSON.stringify(counts))
  })
