import { Loader, UnstyledButton } from '@mantine/core'
import type { Query } from '../query/query.js'
import type { Run } from '../state/use-run.js'
import type { Start } from '../state/use-starts.js'

interface Props extends Pick<Run, 'running'> {
  readonly empty: string
  /** Questions to begin with. */
  readonly starts: readonly Start[]
  readonly onStart: (query: Query) => void
}

/** More would be a list to read. */
const STARTS = 6

/** The place of a result before there is one. */
export function NoAnswer({ running, empty, starts, onStart }: Props) {
  return (
    <div className="nothing">
      {running ? (
        <>
          <Loader size="sm" /> <span>The database is running the query.</span>
        </>
      ) : (
        <>
          <p>{empty}</p>
          {starts.length > 0 && (
            <ul className="starts" aria-label="Questions to begin with">
              {starts.slice(0, STARTS).map(({ title, description, load }) => (
                <li key={title}>
                  <UnstyledButton onClick={() => void load().then(onStart)}>
                    <strong>{title}</strong>
                    {description !== null && <span className="quiet">{description}</span>}
                  </UnstyledButton>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </div>
  )
}
