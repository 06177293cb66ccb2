import { parseModelSync } from '../../core/src/model/load-model.js'
import { compileServed, loadText } from '../support/compile.js'
import { compiled } from './compile.js'
import { type Measurement, percentile, times } from './measurement.js'

const OBJECTS = 200
const FIELDS = 5
const FACTS = 20

/** 1,000 dimensions and 1,000 measures over 200 objects: the time to load the model, and to compile a query of 20 fields. */
export async function largeModelBench(): Promise<readonly Measurement[]> {
  const text = largeModel()
  const [first = Number.NaN] = times(1, () => parseModelSync({ text }))
  const sorted = times(5, () => parseModelSync({ text }))
  const note = `${(text.length / 1000).toFixed(0)} KB; first ${first.toFixed(0)}, worst ${sorted.at(-1)?.toFixed(0)}`
  const model = loadText(text)
  const select = {
    dimensions: Array.from({ length: 10 }, (_, i) => `Dimension ${FACTS + i * 7}.${i % FIELDS}`),
    measures: Array.from({ length: 10 }, (_, i) => `Measure 0.${i}`),
  }
  return [
    {
      name: 'load 1,000 measures and 1,000 dimensions over 200 objects (p50)',
      value: percentile(sorted, 0.5),
      unit: 'ms',
      target: 250,
      better: 'less',
      note,
    },
    compiled('compile, 20 fields of that model (p50)', 5, 500, () => compileServed({ select }, model)),
  ]
}

/** Twenty facts that share 180 dimension tables; each object has five dimensions, each fact fifty measures. */
function largeModel(): string {
  const objects = Array.from({ length: OBJECTS }, (_, i) => i)
  const per = (OBJECTS * FIELDS) / FACTS
  const columns = (i: number): object =>
    Object.fromEntries([
      ['Id', { code: 'id', abstractType: 'int', primaryKey: true }],
      ...Array.from({ length: FIELDS }, (_, j) => [`Name ${j}`, { code: `name_${j}`, abstractType: 'string' }]),
      ...(i < FACTS ? Array.from({ length: per }, (_, j) => [`Value ${j}`, { code: `value_${j}`, abstractType: 'float' }]) : []),
      ...(i < FACTS ? objects.slice(FACTS).map((j) => [`Key ${j}`, { code: `key_${j}`, abstractType: 'int' }]) : []),
    ])
  const joins = objects
    .slice(FACTS)
    .map((j) => ({ joinType: 'many-to-one', joinTo: `Object ${j}`, columnsFrom: [`Key ${j}`], columnsTo: ['Id'] }))
  return JSON.stringify({
    version: 1,
    name: 'large',
    dataObjects: Object.fromEntries(
      objects.map((i) => [`Object ${i}`, { code: `object_${i}`, columns: columns(i), ...(i < FACTS && { joins }) }]),
    ),
    dimensions: Object.fromEntries(
      objects.flatMap((i) =>
        Array.from({ length: FIELDS }, (_, j) => [`Dimension ${i}.${j}`, { dataObject: `Object ${i}`, column: `Name ${j}` }]),
      ),
    ),
    measures: Object.fromEntries(
      objects
        .slice(0, FACTS)
        .flatMap((i) =>
          Array.from({ length: per }, (_, j) => [
            `Measure ${i}.${j}`,
            { aggregation: 'sum', columns: [{ dataObject: `Object ${i}`, column: `Value ${j}` }] },
          ]),
        ),
    ),
  })
}
