import { Group } from '@mantine/core'
import type { Converted, Loss } from '../api/grainline.js'
import { type ChosenText, placeOf } from './chosen-text.js'

interface Props {
  readonly converted: Converted
  readonly chosen: ChosenText
}

/** What each kind of a line means, the worst first. */
const KINDS = [
  ['refused', 'left out'],
  ['rewritten', 'said in another way'],
  ['inert', 'kept out, without an effect on numbers'],
] as const

/** So many lines are drawn; the file of the CLI has all. */
const MOST_LINES = 500

/** What became of the items of a model of another product. */
export function ImportReport({ converted: { counts, losses }, chosen }: Props) {
  return (
    <section aria-label="What became of the model" className="import-report">
      <Group gap="lg" role="status">
        <span>
          <b>{counts.exact}</b> exact
        </span>
        {KINDS.map(([kind]) => (
          <span key={kind}>
            <b>{counts[kind]}</b> {kind}
          </span>
        ))}
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls can be reached by the keyboard */}
      <div className="import-lines" tabIndex={0} role="region" aria-label="Lines of the report">
        {KINDS.map(([kind, says]) => (
          <Lines key={kind} kind={kind} says={says} losses={losses.filter((loss) => loss.kind === kind)} chosen={chosen} />
        ))}
        {losses.length === 0 && <p>Every item is in the model as it is written.</p>}
      </div>
    </section>
  )
}

interface LinesProps {
  readonly kind: Loss['kind']
  readonly says: string
  readonly losses: readonly Loss[]
  readonly chosen: ChosenText
}

function Lines({ kind, says, losses, chosen }: LinesProps) {
  if (losses.length === 0) return null
  return (
    <>
      <h3>
        {kind} <span className="quiet">{says}</span>
      </h3>
      <ul>
        {losses.slice(0, MOST_LINES).map(({ message, hint, line, path }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and lines may be equal
          <li key={at}>
            {message} {hint} {line !== undefined && <code>{placeOf(chosen, line)}</code>}
            {path !== undefined && <code> {path}</code>}
          </li>
        ))}
      </ul>
      {losses.length > MOST_LINES && <p>{losses.length - MOST_LINES} more. grainline convert lists all.</p>}
    </>
  )
}
