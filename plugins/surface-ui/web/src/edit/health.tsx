import { useEffect, useState } from 'react'
import { type Health, readHealth } from '../api/grainline.js'
import { isAbort, type Problem, problemOfError } from '../api/request.js'
import type { ModelRef } from '../api/types.js'
import { ProblemNotice } from '../shell/problem-notice.js'
import { adviceOf } from './advice.js'

/** The health of the joins of the loaded model, and how to improve it. */
export function HealthPanel({ model }: { readonly model: ModelRef }) {
  const [health, setHealth] = useState<Health>()
  const [problem, setProblem] = useState<Problem>()
  useEffect(() => {
    const controller = new AbortController()
    readHealth(model, controller.signal)
      .then(setHealth)
      .catch((error: unknown) => isAbort(error) || setProblem(problemOfError(error)))
    return () => controller.abort()
  }, [model])
  if (problem !== undefined) return <ProblemNotice problem={problem} />
  if (health === undefined) return null
  const advice = adviceOf(health)
  return (
    <section aria-label="Health of the loaded model">
      <h2>
        Health of the loaded model{' '}
        <span className={`pill ${advice.length === 0 ? 'good' : 'warn'}`}>{advice.length === 0 ? 'sound' : advice.length}</span>
      </h2>
      <p className="quiet">
        {counted(health.data_objects, 'object')}, {counted(health.joins, 'join')}
        {health.warnings_count > 0 && `, ${counted(health.warnings_count, 'warning')} of its text`}
      </p>
      <ul className="finding-list">
        {advice.map(({ says, todo }) => (
          <li key={says} className="warning">
            {says} <span className="todo">{todo}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const counted = (count: number, of: string): string => `${count.toLocaleString()} ${of}${count === 1 ? '' : 's'}`
