import type { RollupBuilt } from '../../service/rollups/rollup-builder.js'
import type { RollupStatus, RollupVerified } from '../../service/rollups/rollup-status.js'

export const builtLine = ({ rollup, table, rows, seconds, as_of, equal, changed }: RollupBuilt): string =>
  `${rollup}: ${table}, ${rows} rows in ${seconds} s, as of ${as_of}; ${groupsText(equal, changed)}`

export const verifiedLine = ({ rollup, build, fault, registered, equal, changed }: RollupVerified): string =>
  fault === null
    ? `${rollup}: build ${build} holds what the facts say; ${groupsText(equal, changed)}`
    : `${rollup}: build ${build} is WRONG: ${fault}; ${registered ? 'no server reads it any more' : 'it is still registered, because no connection may write'}`

const groupsText = (equal: number, changed: number): string =>
  `${equal} groups equal the facts${changed === 0 ? '' : `, ${changed} changed meanwhile and were not compared`}`

export function statusLines({ rollup, state, says, builds }: RollupStatus): readonly string[] {
  const first = state === 'built' ? `${rollup}: read` : `${rollup}: not read, ${state}: ${says}`
  return [
    first,
    ...builds.map(
      ({ table, as_of, rows, state: own, read }) => `  ${table}: ${own}${read ? ', read' : ''}, ${rows} rows, as of ${as_of}`,
    ),
  ]
}
