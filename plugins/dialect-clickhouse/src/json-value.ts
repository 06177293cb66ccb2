import { GrainlineError } from '@grainline/core'
import type { SpellingOf } from '@grainline/core/dialect'

/** A path such as `$.items[0].name` as the steps that the functions of JSON take, which count from 1. */
function stepsOf(path: string): readonly string[] {
  const text = /^'(.*)'$/s.exec(path)?.[1]
  const steps = text?.startsWith('$') ? (text.slice(1).match(/\.[^.[\]]+|\[\d+\]|./gs) ?? []) : undefined
  if (steps === undefined || steps.some((step) => !/^(\.[^.[\]]+|\[\d+\])$/s.test(step)))
    throw new GrainlineError('UNSUPPORTED_FUNCTION', `json_value with the path ${path} cannot be expressed on clickhouse`)
  return steps.map((step) => (step.startsWith('[') ? String(Number(step.slice(1, -1)) + 1) : `'${step.slice(1)}'`))
}

/** https://clickhouse.com/docs/sql-reference/functions/json-functions */
export const jsonValue: SpellingOf<'json_value'> = ([x, path]) => {
  const at = [x, ...stepsOf(path)].join(', ')
  const type = `JSONType(${at})`
  return `CASE WHEN ${type} = 'String' THEN JSONExtractString(${at}) WHEN ${type} NOT IN ('Object', 'Array', 'Null') THEN JSONExtractRaw(${at}) END`
}
