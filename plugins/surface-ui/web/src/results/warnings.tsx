import type { Answer } from '../api/read-arrow.js'

/** What a reader of the result must know. */
export function Warnings({ answer: { warnings } }: { readonly answer: Answer }) {
  if (warnings.length === 0) return null
  return (
    <ul className="warnings">
      {warnings.map(({ code, message, hint }) => (
        <li key={`${code} ${message}`}>
          {message} {hint !== undefined && <span className="quiet">{hint}</span>}
        </li>
      ))}
    </ul>
  )
}
