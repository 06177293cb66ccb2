/** How a person wants an answer drawn: part of links and of saved questions. What is absent is chosen by the answer. */

export const KINDS = ['line', 'bar', 'stacked', 'grouped', 'multiples', 'scatter', 'number'] as const
export type ChartKind = (typeof KINDS)[number]

export interface ChartLook {
  readonly kind?: ChartKind
  /** The dimension along the axis; the others are series. */
  readonly x?: string
  /** The drawn measures. */
  readonly measures?: readonly string[]
  readonly order?: ChartOrder
  /** Bars of a series on each other as shares of 100 %. */
  readonly shares?: boolean
  readonly title?: string
  /** A line across the chart, such as a target. */
  readonly line?: number
  /** The series that are left out. */
  readonly without?: readonly string[]
  /** Every group is drawn on its own, and the largest are not separated from the others. */
  readonly ungrouped?: boolean
}

export const ORDERS = ['largest', 'name', 'answer'] as const
export type ChartOrder = (typeof ORDERS)[number]

/** Links and files are untrusted: each part is used only if its shape is valid. */
export function readLook(value: unknown): ChartLook {
  if (typeof value !== 'object' || value === null) return {}
  const { kind, x, measures, order, shares, title, line, without, ungrouped } = value as Record<string, unknown>
  const known = KINDS.find((each) => each === kind)
  const ordered = ORDERS.find((each) => each === order)
  return {
    ...(known !== undefined && { kind: known }),
    ...(typeof x === 'string' && { x }),
    ...(isTexts(measures) && { measures }),
    ...(ordered !== undefined && { order: ordered }),
    ...(shares === true && { shares }),
    ...(typeof title === 'string' && { title: title.slice(0, TITLE_AT_MOST) }),
    ...(typeof line === 'number' && Number.isFinite(line) && { line }),
    ...(isTexts(without) && { without }),
    ...(ungrouped === true && { ungrouped }),
  }
}

export const TITLE_AT_MOST = 200
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((each) => typeof each === 'string')
