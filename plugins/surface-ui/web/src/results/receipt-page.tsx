import type { Receipt, TimeRange } from '../api/types.js'

/** The meaning of the numbers: their definitions and filters. */
export default function ReceiptPage({ receipt }: { readonly receipt: Receipt }) {
  const { model, version, definitions, filters, time_ranges: ranges = [], timezone, tables = [], read_at } = receipt
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
    <section className="receipt" aria-label="What these numbers mean" tabIndex={0}>
      <h3>What these numbers mean</h3>
      <dl>
        {definitions.map(({ name, kind, definition }) => (
          <div key={`${kind} ${name}`}>
            <dt>
              {name} <span className="quiet">{kind}</span>
            </dt>
            <dd>
              <code>{definition}</code>
            </dd>
          </div>
        ))}
      </dl>
      {filters.length > 0 && (
        <>
          <h3>Filters</h3>
          <ul>
            {filters.map((filter) => (
              <li key={filter}>
                <code>{filter}</code>
              </li>
            ))}
          </ul>
        </>
      )}
      {ranges.length > 0 && (
        <>
          <h3>Times</h3>
          <ul>
            {ranges.map((range) => (
              <li key={JSON.stringify(range)}>{timesOf(range)}</li>
            ))}
          </ul>
        </>
      )}
      {tables.length > 0 && (
        <>
          <h3>Tables</h3>
          <ul>
            {tables.map(({ object, as_of, by }) => (
              <li key={`${by} ${object}`}>
                {object} as of {new Date(as_of).toLocaleString()} <span className="quiet">rollup {by}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="quiet">
        Model {model}, version {version.slice(0, 12)}. Time zone {timezone}. Read {new Date(read_at).toLocaleString()}.
      </p>
    </section>
  )
}

/** Which times a metric reads at one level, and with which it compares them. */
function timesOf({ metric, time, level, compared, ...own }: TimeRange): string {
  const text = ({ from, to }: Pick<TimeRange, 'from' | 'to'>): string => `${from ?? 'the first'} to ${to ?? 'the last'}`
  const by = level.length > 0 ? `, by ${level.join(', ')}` : ', all together'
  return `${metric}${by}: ${time} ${text(own)}${compared ? `, compared with ${text(compared)}` : ''}`
}
