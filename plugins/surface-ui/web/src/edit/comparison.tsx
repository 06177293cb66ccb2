import type { ModelChange } from '../api/grainline.js'
import type { Compared } from './compare.js'

/** The changes of the draft, the affected fields, and the totals that change. */
export function Comparison({ compared: { changes, touched, moves } }: { readonly compared: Compared }) {
  const moved = moves.filter(({ before, after }) => before !== after)
  return (
    <section>
      <h2>{changes.length === 0 ? 'Nothing changes' : `Changes (${changes.length})`}</h2>
      <ul className="change-list">
        {changes.map((change) => (
          <li key={`${change.section} ${change.name}`}>
            <span className={`change ${change.kind}`}>{change.kind}</span> {change.section} <strong>{change.name}</strong>
            {change.was !== undefined && ` (was ${change.was})`}
            <Keys change={change} />
          </li>
        ))}
      </ul>
      {touched.length > 0 && <p className="quiet">May move: {touched.join(', ')}</p>}
      {moves.length > 0 && (
        <>
          <h2>{moved.length === 0 ? 'No total moves' : `Totals that move (${moved.length} of ${moves.length})`}</h2>
          <table className="moves">
            <thead>
              <tr>
                <th scope="col">Measure</th>
                <th scope="col">Loaded</th>
                <th scope="col">Draft</th>
              </tr>
            </thead>
            <tbody>
              {moved.map(({ name, before, after }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{before}</td>
                  <td>{after}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  )
}

function Keys({ change }: { readonly change: ModelChange }) {
  if (!change.keys?.length) return null
  return (
    <ul>
      {change.keys.map(({ key, before, after }) => (
        <li key={key}>
          <code>{key}</code>: <code>{before ?? '—'}</code> → <code>{after ?? '—'}</code>
        </li>
      ))}
    </ul>
  )
}
