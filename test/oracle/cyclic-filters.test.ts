/** A static filter on a measure column does not load exactly if the oracle finds that the column counts only rows that the filter leaves. */
import t from 'tap'
import { parseModelSync } from '../../core/src/model/load-model.js'
import { caseNumbers } from '../support/amount.js'
import { generateCase } from './generate/case.js'
import { filteredByMade, measuredColumns, rowsFiltered } from './generate/later-entities.js'
import { asWritten, type ModelJson } from './model.js'

const seed = Number(process.env['ORACLE_SEED'] ?? 20260115)
const CASES = caseNumbers('ORACLE_CASES', 3, 150, 1500)

const isRefused = (model: ModelJson): boolean =>
  parseModelSync({ json: asWritten(model) }).errors.some(({ code }) => code === 'CYCLIC_FILTER')

t.test(`static filters on ${CASES.length} generated models (ORACLE_SEED=${seed})`, async (t) => {
  const counts = { refused: 0, loaded: 0 }
  for (const index of CASES) {
    const { model, data } = generateCase(seed, index, ['entities', 'ways', 'bridges', 'sisters'])
    for (const { dataObject, column, definition } of measuredColumns(model)) {
      if (definition.abstractType !== 'int') continue
      for (const filtered of filteredByMade(model, { dataObject, column }, { operator: '>=', value: 0 })) {
        const expected = rowsFiltered({ model: filtered, data })
        const isExpected = 'refused' in expected && expected.refused === 'CYCLIC_FILTER'
        // A column that has no answer itself can be refused for both.
        if ('refused' in expected && !isExpected) continue
        counts[isExpected ? 'refused' : 'loaded']++
        if (isRefused(filtered) !== isExpected)
          t.fail(`case ${index}: ${dataObject}.${column} (${definition.measure}) is ${isExpected ? '' : 'not '}cyclic`)
      }
    }
  }
  t.ok(counts.refused > CASES.length / 10 && counts.loaded > CASES.length / 10, JSON.stringify(counts))
})
