/** The plan of a query on `test/compile/shop.yaml` as its explanation shows it, one line per step, its inputs below it. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { ExplainNode } from '../../core/src/plan/explain-plan.js'
import { compileFor, loadText } from './compile.js'

const TEXT = readFileSync(path.join(import.meta.dirname, '../compile/shop.yaml'), 'utf8')
const shop = loadText(TEXT)

export const outline = (query: unknown, model = shop): readonly string[] => linesOf(compileFor(query, model).explain().plan, '')

/** The model with another metric `Conversion`, and the parts that it needs. */
export const shopWith = (metric: string, measure: string, dimension = ''): typeof shop =>
  loadText(
    TEXT.replace(/^ {2}Conversion: .*$/m, `  Conversion: ${metric}`)
      .replace(/^measures:$/m, `measures:\n  ${measure}`)
      .replace(/^dimensions:$/m, `dimensions:\n  ${dimension}`),
  )

/** The model with another dimension. */
export const shopWithDimension = (dimension: string): typeof shop =>
  loadText(TEXT.replace(/^dimensions:$/m, `dimensions:\n  ${dimension}`))

const linesOf = ({ op, detail, children }: ExplainNode, margin: string): readonly string[] => [
  `${margin}${op} ${detail}`.trimEnd(),
  ...children.flatMap((child) => linesOf(child, `${margin}  `)),
]
