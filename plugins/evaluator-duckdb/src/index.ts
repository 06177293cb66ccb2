import { definePlugin } from '@grainline/core'
import { duckdbEvaluator } from './evaluator.js'
import { optionsSchema } from './options.js'

export { duckdbEvaluator }

/** Evaluates outer statements. DuckDB is loaded, and its memory taken, by the first of them. */
export default definePlugin({
  name: '@grainline/evaluator-duckdb',
  host: '>=0.1.0 <1.0.0',
  options: optionsSchema,
  setup(host, options) {
    const evaluator = duckdbEvaluator(options)
    host.evaluators.register(evaluator)
    host.onClose(() => evaluator.close())
  },
})
