import type { Compiled, ExplainJoin, ExplainRollup, PlanNode } from '../api/types.js'

/** How the query is answered, as text and as a tree. */
export default function PlanTab({ compiled }: { readonly compiled: Compiled | undefined }) {
  const explain = compiled?.explain
  if (compiled === undefined || !explain) return <p className="nothing">Choose fields to see how they are answered.</p>
  const joins = [
    ...new Map([...explain.joins, ...explain.cfl_legs.flatMap((leg) => leg.joins)].map((join) => [spell(join), join])).values(),
  ]
  return (
    <div className="plan">
      <section>
        <h2>Why this way</h2>
        <p>{sentence(explain.planner_reason)}</p>
        <p>
          <strong>{explain.base_object}</strong>: {explain.base_object_reason}
        </p>
        {joins.length > 0 && (
          <>
            <h2>Joins</h2>
            <ul>
              {joins.map((join) => (
                <li key={spell(join)}>
                  <strong>
                    {join.from_object} → {join.to_object}
                  </strong>{' '}
                  <code>{join.join_columns.join(', ')}</code> <span className="quiet">{join.reason}</span>
                </li>
              ))}
            </ul>
          </>
        )}
        {(explain.rollups ?? []).length > 0 && (
          <>
            <h2>Rollup tables</h2>
            <ul>
              {explain.rollups?.map((one) => (
                <Rollup key={one.rollup} rollup={one} />
              ))}
            </ul>
          </>
        )}
        {compiled.physical_tables.length > 0 && (
          <>
            <h2>Tables</h2>
            <p>
              <code>{compiled.physical_tables.join(', ')}</code>
            </p>
          </>
        )}
      </section>
      <section>
        <h2>Plan</h2>
        <ul className="plan-tree">
          <Node node={explain.plan} />
        </ul>
      </section>
    </div>
  )
}

/** Whether a table is read, or why not. */
function Rollup({ rollup: { rollup, reason, says, read, as_of } }: { readonly rollup: ExplainRollup }) {
  const asOf = as_of === null ? '' : `, as of ${new Date(as_of).toLocaleString()}`
  return (
    <li>
      <strong>{rollup}</strong>{' '}
      {read ? (
        <span>is read{asOf}</span>
      ) : (
        <span className="quiet">{reason === null ? 'could be read' : `${reason}: ${says}`}</span>
      )}
    </li>
  )
}

function Node({ node: { op, detail, children } }: { readonly node: PlanNode }) {
  return (
    <li>
      <span className="plan-node">
        <strong>{op}</strong> {detail}
      </span>
      {children.length > 0 && (
        <ul>
          {children.map((child) => (
            <Node key={`${child.op} ${child.detail}`} node={child} />
          ))}
        </ul>
      )}
    </li>
  )
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const spell = ({ from_object, to_object, join_columns, reason }: ExplainJoin): string =>
  [from_object, to_object, ...join_columns, reason].join(' ')
