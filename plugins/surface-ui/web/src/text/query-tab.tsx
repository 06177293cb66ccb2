import type { Diagnostic } from '@codemirror/lint'
import { SegmentedControl } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import type { Problem } from '../api/request.js'
import type { ModelRef } from '../api/types.js'
import type { Query } from '../query/query.js'
import { CodeExamples } from './code-examples.js'
import CodeView from './code-view.js'
import { type Notation, placeOf, readQuery, writeQuery } from './query-text.js'
import StatementEditor from './statement-editor.js'

interface Props {
  readonly query: Query
  /** The error of the API about the query. */
  readonly problem: Problem | undefined
  readonly onChange: (query: Query) => void
  readonly model: ModelRef
  readonly needsKey: boolean
  readonly sql: string | undefined
}

/** The query as text. Both sides can be changed: the controls follow the text, and the text follows the controls. */
export default function QueryTab(props: Props) {
  const [shown, setShown] = useState('query')
  return (
    <div className="tab-body">
      <SegmentedControl
        size="xs"
        className="left"
        aria-label="Language"
        data={[
          { value: 'query', label: 'Query' },
          { value: 'sql', label: 'Semantic QL' },
          { value: 'code', label: 'Code' },
        ]}
        value={shown}
        onChange={setShown}
      />
      {shown === 'sql' && <StatementEditor {...props} />}
      {shown === 'query' && <DocumentEditor {...props} />}
      {shown === 'code' && <CodeExamples {...props} />}
    </div>
  )
}

function DocumentEditor({ query, problem, onChange }: Props) {
  const [notation, setNotation] = useState<Notation>('yaml')
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
      <div className="tab-bar">
        <SegmentedControl
          size="xs"
          aria-label="Notation"
          data={[
            { value: 'yaml', label: 'YAML' },
            { value: 'json', label: 'JSON' },
          ]}
          value={notation}
          onChange={(chosen) => {
            setNotation(chosen as Notation)
            if ('query' in reading) setText(writeQuery(reading.query, chosen as Notation))
          }}
        />
        <span className="quiet">This is what POST /v1/query/execute takes. Change it, and the controls above follow.</span>
      </div>
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
