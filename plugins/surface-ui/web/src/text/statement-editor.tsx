import { useEffect, useRef, useState } from 'react'
import { readStatement } from '../api/grainline.js'
import { isAbort, problemOfError } from '../api/request.js'
import type { ModelRef } from '../api/types.js'
import { isQuery } from '../query/is-query.js'
import type { Query } from '../query/query.js'
import CodeView from './code-view.js'
import { writeSemantic } from './semantic-text.js'

interface Props {
  readonly model: ModelRef
  readonly query: Query
  readonly onChange: (query: Query) => void
}

const PAUSE_MS = 400

/** The query as a statement of semantic QL. The server parses the text, and the controls follow. */
export default function StatementEditor({ model, query, onChange }: Props) {
  const written = writeSemantic(query, model.name)
  const [text, setText] = useState('sql' in written ? written.sql : '')
  const [fault, setFault] = useState<string>()
  /** The query of the text. A change from elsewhere replaces the text. */
  const said = useRef(JSON.stringify(query))
  const [typed, setTyped] = useState<string>()

  useEffect(() => {
    if (JSON.stringify(query) === said.current) return
    said.current = JSON.stringify(query)
    const next = writeSemantic(query, model.name)
    setFault(undefined)
    setText('sql' in next ? next.sql : '')
  }, [query, model])

  // biome-ignore lint/correctness/useExhaustiveDependencies: only typed text is read.
  useEffect(() => {
    if (typed === undefined || typed.trim() === '') return
    const controller = new AbortController()
    const timer = setTimeout(() => {
      readStatement(model, typed, controller.signal)
        .then(({ query: read }) => {
          if (!isQuery(read))
            return setFault('This statement is more than one question, which the controls cannot show. Run it over SQL.')
          setFault(undefined)
          said.current = JSON.stringify(read)
          onChange(read)
        })
        .catch((error: unknown) => isAbort(error) || setFault(problemOfError(error).detail))
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [typed])

  return (
    <>
      {'reason' in written && text === '' && <p className="fault">{written.reason}</p>}
      <div className="frame">
        <CodeView
          text={text}
          language="sql"
          label="The question as a statement"
          onEdit={(next) => {
            setText(next)
            setTyped(next)
          }}
        />
      </div>
      {fault !== undefined && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
    </>
  )
}
