import { Button } from '@mantine/core'
import { useState } from 'react'
import { type Verified, verify } from '../api/grainline.js'
import { type Problem, problemOfError } from '../api/request.js'
import type { ModelRef } from '../api/types.js'
import { ProblemNotice } from '../shell/problem-notice.js'

/** The check of the loaded model against its data: keys, joins and sums, and how to fix each difference. */
export function Proof({ model, canRun }: { readonly model: ModelRef; readonly canRun: boolean }) {
  const [report, setReport] = useState<Verified>()
  const [problem, setProblem] = useState<Problem>()
  const [busy, setBusy] = useState(false)
  const prove = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      setReport(await verify(model))
    } catch (error) {
      setProblem(problemOfError(error))
    } finally {
      setBusy(false)
    }
  }
  if (!canRun) return null
  return (
    <section aria-label="The loaded model and its data">
      <h2>The loaded model and its data</h2>
      <p>
        <Button size="xs" variant="default" loading={busy} onClick={prove}>
          Verify
        </Button>
      </p>
      {problem && <ProblemNotice problem={problem} />}
      {report && report.findings.length === 0 && <p>The data match the model.</p>}
      <ul className="finding-list">
        {report?.findings.map(({ code, path, message, hint, severity }) => (
          <li key={`${code} ${path}`} className={severity}>
            {message} {hint !== undefined && <span className="todo">{hint}</span>} <code className="quiet">{code}</code>
          </li>
        ))}
      </ul>
    </section>
  )
}
