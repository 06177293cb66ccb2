import type { Answer } from '../api/read-arrow.js'

/** The size of a result, and when and how fast it was read. */
export function ResultFacts({ answer }: { readonly answer: Answer }) {
  const { rowCount, truncated, totalMs, serverMs, cached, cachedAt, timezone } = answer
  const [oldest] = (answer.receipt?.tables ?? []).map(({ as_of }) => as_of).sort()
  const times = [
    `${duration(totalMs)} in all`,
    ...(Number.isNaN(serverMs) ? [] : [`${duration(serverMs)} of it in the server`]),
  ].join(', ')
  return (
    <p className="facts" aria-live="polite">
      <strong>
        {rowCount.toLocaleString()} {rowCount === 1 ? 'row' : 'rows'}
      </strong>
      {truncated && <span className="pill warn">more exist</span>}
      <span title={times}>{duration(totalMs)}</span>
      {cached && (
        <span className="pill">
          from the cache{cachedAt === undefined ? '' : `, read ${new Date(cachedAt).toLocaleTimeString()}`}
        </span>
      )}
      {oldest !== undefined && (
        <span className="pill" title={`Read from rollup tables as of ${new Date(oldest).toLocaleString()}`}>
          rollup, {ageText(Date.now() - Date.parse(oldest))} old
        </span>
      )}
      <span className="quiet">{timezone}</span>
    </p>
  )
}

const STEPS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const

/** The age of a table in its longest unit. */
function ageText(milliseconds: number): string {
  const [unit, length] = STEPS.find(([, each]) => milliseconds >= each) ?? (['min', 60_000] as const)
  return `${Math.max(0, Math.floor(milliseconds / length))} ${unit}`
}

const duration = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`)
