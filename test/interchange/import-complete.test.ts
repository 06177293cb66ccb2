/** Every item of a foreign text, and every key that nobody knows, is in what an importer gives exactly once: none is lost, and none is counted twice. */
import type { Importer } from '@grainline/core'
import t from 'tap'
import { importer as cube } from '../../plugins/importer-cube/src/importer.js'
import { importer as databricks } from '../../plugins/importer-databricks/src/importer.js'
import { importer as dbt } from '../../plugins/importer-dbt/src/importer.js'
import { importer as lookml } from '../../plugins/importer-lookml/src/importer.js'
import { importer as ossie } from '../../plugins/importer-ossie/src/importer.js'
import { importer as snowflake } from '../../plugins/importer-snowflake/src/importer.js'
import { importer as tmdl } from '../../plugins/importer-tmdl/src/importer.js'
import { amount, PART } from '../support/amount.js'
import { miscounted } from './counted-once.js'
import { exportOf } from './exported-models.js'
import { textOf } from './foreign-texts.js'
import { generatedModel } from './generated-model.js'
import { TRIPS } from './round-trips.js'
import { wideModel } from './wide-model.js'

t.setTimeout(600_000)

const seed = Number(process.env['INTERCHANGE_SEED'] ?? 3930 + PART)

interface Source {
  readonly what: string
  /** Without a thread, which is started for each long text. */
  readonly importer: Importer
  readonly text: string
}

const OWN: readonly Source[] = [
  { what: 'a model of Cube', importer: cube, text: textOf('cube/shop.yml') },
  { what: 'a model of Cube over a real database', importer: cube, text: textOf('walk/cube.yml') },
  { what: 'a metric view', importer: databricks, text: textOf('databricks/shop.yaml') },
  { what: 'a metric view over a real database', importer: databricks, text: textOf('walk/databricks.yaml') },
  { what: 'a project of dbt', importer: dbt, text: textOf('dbt/legacy.yml') },
  { what: 'a project of dbt in its new form', importer: dbt, text: textOf('dbt/new.yml') },
  { what: 'a project of LookML', importer: lookml, text: textOf('lookml/shop.lkml') },
  { what: 'a project of LookML over a real database', importer: lookml, text: textOf('walk/lookml.lkml') },
  { what: 'a model of Ossie', importer: ossie, text: textOf('ossie/shop.yaml') },
  { what: 'a semantic view', importer: snowflake, text: textOf('snowflake/shop.yaml') },
  { what: 'a model of Power BI', importer: tmdl, text: textOf('tmdl/shop.tmdl') },
  { what: 'a model of Power BI with days', importer: tmdl, text: textOf('tmdl/days.tmdl') },
]

for (const source of OWN)
  t.test(`${source.what}: each item and each unknown key is counted once`, async (t) => {
    t.same(await miscounted(source.importer, source.text), [])
  })

t.test('generated models that are written in another format: each item and each unknown key is counted once', async (t) => {
  t.comment(`INTERCHANGE_SEED=${seed}`)
  const counts: Record<string, number> = {}
  for (const generated of [generatedModel, wideModel])
    for (let number = 0; number < amount(2, 200); number++) {
      const model = generated(seed * 1000 + number)
      for (const { exporter, importer, texts } of TRIPS.filter((trip) => !trip.exporter.name.endsWith('-sql')))
        for (const text of texts(await exportOf(model, exporter)))
          t.same(await miscounted(importer, text, counts), [], `${exporter.name}, model ${number} of ${seed}`)
    }
  t.comment(JSON.stringify(counts))
  t.ok((counts['items'] ?? 0) > 0, 'the generator works')
})
