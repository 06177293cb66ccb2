import type { Diagnostic } from '@codemirror/lint'
import { SegmentedControl } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import type { Problem } from '../api/request.js'
import type { ModelRef } from '../api/types.js'
import type { Query } from '../query/query.js'
import CodeView from './code-view.js'
import { type Notation, placeOf, readQuery, writeQuery } from './query-text.js'
import StatementEditor from './statement-editor.js'

interface Props {
  readonly query: Query
  /** The error of the API about the query. */
  readonly problem: Problem | undefined
  readonly onChange: (query: Query) => void
  readonly model: ModelRef
}

type Written = Notation | 'semantic'

const NOTATIONS: readonly { readonly value: Written; readonly label: string }[] = [
  { value: 'yaml', label: 'YAML' },
  { value: 'json', label: 'JSON' },
  { value: 'semantic', label: 'Semantic QL' },
]

/** The query as text. Both sides can be changed: the controls follow the text, and the text follows the controls. */
export default function QueryTab(props: Props) {
  const [written, setWritten] = useState<Written>('yaml')
  return (
    <div className="tab-body">
      <div className="tab-bar">
        <SegmentedControl
          size="xs"
          aria-label="Notation"
          data={[...NOTATIONS]}
          value={written}
          onChange={(chosen) => setWritten(chosen as Written)}
        />
        <span className="quiet">
          {written === 'semantic'
            ? 'This is what POST /v1/query/semantic-ql and the Postgres wire take. Change it, and the controls above follow.'
            : 'This is what POST /v1/query/execute takes. Change it, and the controls above follow.'}
        </span>
      </div>
      {written === 'semantic' ? <StatementEditor {...props} /> : <DocumentEditor key={written} {...props} notation={written} />}
    </div>
  )
}

function DocumentEditor({ query, problem, onChange, notation }: Props & { readonly notation: Notation }) {
  const [text, setText] = useState(() => writeQuery(query, notation))
  const reading = useMemo(() => readQuery(text), [text])

  // A text with the same meaning is not rewritten.
  useEffect(() => {
    setText((now) => {
      const said = readQuery(now)
      return 'query' in said && JSON.stringify(said.query) === JSON.stringify(query) ? now : writeQuery(query, notation)
    })
  }, [query, notation])

  const diagnostics = useMemo((): readonly Diagnostic[] => {
    if (!('query' in reading)) return [{ ...reading, severity: 'error' }]
    if (problem === undefined) return []
    const findings = problem.errors ?? [{ message: problem.detail, path: '', severity: 'error' as const }]
    return findings.map(({ message, path, severity }) => ({ message, severity, ...placeOf(text, path) }))
  }, [reading, problem, text])

  return (
    <>
      <div className="frame">
        <CodeView
          text={text}
          language={notation}
          label="The question as text"
          diagnostics={diagnostics}
          onEdit={(next) => {
            setText(next)
            const said = readQuery(next)
            if ('query' in said) onChange(said.query)
          }}
        />
      </div>
      {!('query' in reading) && (
        <p className="fault" role="alert">
          {reading.message}
        </p>
      )}
    </>
  )
}
