import { parseModelSync } from '../../core/src/model/load-model.js'
import { wideModel } from './compile.js'
import { type Measurement, percentile, times } from './measurement.js'

/** Text to validated model, for a document of 60 KB. */
export async function loadModelBench(): Promise<readonly Measurement[]> {
  const text = wideModel(116)
  const [first = Number.NaN] = times(1, () => parseModelSync({ text }))
  times(10, () => parseModelSync({ text }))
  const sorted = times(40, () => parseModelSync({ text }))
  const note = `${(text.length / 1000).toFixed(0)} KB; first ${first.toFixed(0)}, p95 ${percentile(sorted, 0.95).toFixed(1)}`
  return [{ name: 'load a model of 60 KB (p50)', value: percentile(sorted, 0.5), unit: 'ms', target: 10, better: 'less', note }]
}
