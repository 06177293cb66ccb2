import { Select } from '@mantine/core'
import type { Compiled } from '../api/types.js'
import { CopyAction } from '../shell/copy-action.js'
import { ProblemNotice } from '../shell/problem-notice.js'
import type { LiveCompile } from '../state/use-live-compile.js'
import { LazyCode } from '../text/lazy-code.js'

interface Props {
  readonly live: LiveCompile
  readonly dialects: readonly string[]
  /** The two shown dialects; the empty name is the model's own. */
  readonly shown: readonly [string, string]
  readonly onShow: (shown: readonly [string, string]) => void
}

/** The SQL of the query in two dialects side by side. */
export default function SqlTab({ live, dialects, shown, onShow }: Props) {
  const [left, right] = shown
  return (
    <div className="sql-tab">
      <Side {...{ live, dialects }} label="First dialect" dialect={left} onChoose={(dialect) => onShow([dialect, right])} />
      <Side {...{ live, dialects }} label="Second dialect" dialect={right} onChoose={(dialect) => onShow([left, dialect])} />
    </div>
  )
}

interface SideProps {
  readonly live: LiveCompile
  readonly dialects: readonly string[]
  readonly label: string
  readonly dialect: string
  readonly onChoose: (dialect: string) => void
}

function Side({ live, dialects, label, dialect, onChoose }: SideProps) {
  const compiled = live.compiled.get(dialect)
  const problem = live.problems.get(dialect)
  return (
    <section className="sql-side" aria-label={label}>
      <div className="tab-bar">
        <Select
          size="xs"
          w={150}
          aria-label={label}
          allowDeselect={false}
          searchable
          data={[...dialects]}
          value={compiled?.dialect ?? (dialect || null)}
          onChange={(name) => name !== null && onChoose(name)}
        />
        {compiled && <Validity compiled={compiled} />}
        <span className="grow" />
        {compiled && <CopyAction label={`Copy the SQL for ${compiled.dialect}`} hint="Copy" text={() => compiled.sql} />}
      </div>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {compiled !== undefined && (
        <>
          <ul className="warnings">
            {compiled.warnings.map(({ code, message, hint }) => (
              <li key={`${code} ${message}`}>
                {message} {hint !== undefined && <span className="quiet">{hint}</span>}
              </li>
            ))}
          </ul>
          <div className="frame">
            <LazyCode text={compiled.sql} language="sql" dialect={compiled.dialect} label={`SQL for ${compiled.dialect}`} />
          </div>
        </>
      )}
      {compiled === undefined && problem === undefined && <p className="nothing">Choose fields to see their SQL.</p>}
    </section>
  )
}

/** If no parser of the dialect is available, a warning says so. */
function Validity({ compiled: { sql_valid, warnings } }: { readonly compiled: Compiled }) {
  const unchecked = warnings.some(({ code }) => code === 'SQL_NOT_VALIDATED')
  if (unchecked) return <span className="pill">not parsed</span>
  return sql_valid ? <span className="pill good">valid</span> : <span className="pill warn">not valid</span>
}
