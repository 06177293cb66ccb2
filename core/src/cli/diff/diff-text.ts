import type { Change, ModelDiff, Touched } from '../../discovery/model-diff.js'
import { markdownTable, textTable } from '../output/text-table.js'
import type { Move, Moves } from './moves.js'

/** The difference of two models for people: in a terminal, or in a pull request. */
export function diffText({ changes, touched }: ModelDiff, moves: Moves | undefined, format: 'text' | 'md'): string {
  if (changes.length === 0) return 'The models are the same\n'
  const table = format === 'md' ? markdownTable : textTable
  const heading = (title: string): string => (format === 'md' ? `### ${title}\n\n` : `${title}\n\n`)
  const columns = (...names: string[]) => names.map((name) => ({ name, numeric: NUMERIC.has(name) }))
  const counted = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`
  const parts = [
    heading(counted) + table(columns('change', 'of', 'name', 'what'), changes.map(changeCells)),
    heading('What it touches') + touchedText(touched, format),
  ]
  if (moves !== undefined) {
    const title = moves.moved.length === 0 ? `No number moves (${moves.compared} compared)` : 'Numbers that move'
    const rows = moves.moved.map(moveCells)
    parts.push(heading(title) + (rows.length === 0 ? '' : table(columns('number', 'group', 'before', 'after', 'by'), rows)))
  }
  return `${parts.map((part) => part.trimEnd()).join('\n\n')}\n`
}

const NUMERIC: ReadonlySet<string> = new Set(['before', 'after', 'by'])
const SINGULAR: Readonly<Record<string, string>> = { settings: 'settings', dataObjects: 'data object', filters: 'filter' }

const changeCells = ({ kind, section, name, was, keys = [], cosmetic }: Change): string[] => [
  `${kind}${cosmetic ? ' (words)' : ''}`,
  SINGULAR[section] ?? section.replace(/s$/, ''),
  name,
  was === undefined
    ? keys.map(({ key, before, after }) => `${key}: ${short(before)} → ${short(after)}`).join('; ')
    : `was '${was}'`,
]

const short = (json: string | null): string => {
  if (json === null) return 'none'
  return json.length > 80 ? `${json.slice(0, 80)}…` : json
}

function touchedText(touched: Touched, format: 'text' | 'md'): string {
  const mark = format === 'md' ? '- ' : '  '
  const lines = Object.entries(touched).flatMap(([part, names]: [string, readonly string[]]) =>
    names.length === 0 ? [] : [`${mark}${part}: ${names.join(', ')}\n`],
  )
  return lines.length === 0 ? `${mark}nothing: only words changed\n` : lines.join('')
}

const moveCells = ({ name, group = '', before, after, refused }: Move): string[] =>
  refused === undefined ? [name, group, textOf(before), textOf(after), by(before, after)] : [name, refused, '', '', '']

const textOf = (value: Move['before']): string => (value === null ? '' : String(value))

/** The difference, and its percentage of the old value. */
function by(before: Move['before'], after: Move['after']): string {
  const [a, b] = [Number(before), Number(after)]
  if (before === null || after === null || !Number.isFinite(a) || !Number.isFinite(b)) return ''
  const difference = b - a
  const percent = a === 0 ? '' : ` (${difference > 0 ? '+' : ''}${((100 * difference) / Math.abs(a)).toFixed(1)} %)`
  return `${difference > 0 ? '+' : ''}${Number(difference.toPrecision(12))}${percent}`
}
