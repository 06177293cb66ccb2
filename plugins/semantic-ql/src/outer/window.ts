import type { Node, WindowDef } from '../grammar/node.js'
import { quoted } from '../grammar/quoted.js'
import { unsupported } from '../refusal.js'

/** How the parts of a window are written. */
interface Parts {
  readonly expression: (node: Node) => string
  readonly sorts: (nodes: readonly Node[]) => string
}

/** The bits of a frame, as the grammar sets them (`FRAMEOPTION_…` of its parse nodes). */
const FRAME = {
  nonDefault: 0x1,
  range: 0x2,
  rows: 0x4,
  groups: 0x8,
  between: 0x10,
  startUnboundedPreceding: 0x20,
  endUnboundedPreceding: 0x40,
  startUnboundedFollowing: 0x80,
  endUnboundedFollowing: 0x100,
  startCurrentRow: 0x200,
  endCurrentRow: 0x400,
  startOffsetPreceding: 0x800,
  endOffsetPreceding: 0x1000,
  startOffsetFollowing: 0x2000,
  endOffsetFollowing: 0x4000,
  exclude: 0x8000 | 0x10000 | 0x20000,
} as const

/** A window in parentheses. */
export function windowText(window: WindowDef, parts: Parts): string {
  const partition = (window.partitionClause ?? []).map(parts.expression)
  const clauses = [
    ...(window.refname === undefined ? [] : [quoted(window.refname)]),
    ...(partition.length > 0 ? [`PARTITION BY ${partition.join(', ')}`] : []),
    ...(window.orderClause ? [`ORDER BY ${parts.sorts(window.orderClause)}`] : []),
    ...frameOf(window, parts),
  ]
  return `(${clauses.join(' ')})`
}

function frameOf({ frameOptions = 0, startOffset, endOffset }: WindowDef, { expression }: Parts): string[] {
  const has = (bit: number): boolean => (frameOptions & bit) !== 0
  if (!has(FRAME.nonDefault)) return []
  if (has(FRAME.exclude)) unsupported('EXCLUDE', 'EXCLUDE is not understood in a window')
  const unit = has(FRAME.rows) ? 'ROWS' : has(FRAME.groups) ? 'GROUPS' : 'RANGE'
  const text = (offset: WindowDef['startOffset']) => expression(offset!)
  const start = has(FRAME.startUnboundedPreceding)
    ? 'UNBOUNDED PRECEDING'
    : has(FRAME.startUnboundedFollowing)
      ? 'UNBOUNDED FOLLOWING'
      : has(FRAME.startOffsetPreceding)
        ? `${text(startOffset)} PRECEDING`
        : has(FRAME.startOffsetFollowing)
          ? `${text(startOffset)} FOLLOWING`
          : 'CURRENT ROW'
  const end = has(FRAME.endUnboundedFollowing)
    ? 'UNBOUNDED FOLLOWING'
    : has(FRAME.endUnboundedPreceding)
      ? 'UNBOUNDED PRECEDING'
      : has(FRAME.endOffsetPreceding)
        ? `${text(endOffset)} PRECEDING`
        : has(FRAME.endOffsetFollowing)
          ? `${text(endOffset)} FOLLOWING`
          : 'CURRENT ROW'
  return [`${unit} BETWEEN ${start} AND ${end}`]
}
