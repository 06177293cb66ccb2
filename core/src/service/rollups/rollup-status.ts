/** What an operator is told of the tables of rollups. */
import type { RollupState } from '../../bind/rollups/rollup-states.js'
import type { Compared } from './groups.js'
import type { RegisteredBuild } from './registry.js'

/** The builds of a rollup, and which of them questions read. */
export interface RollupStatus {
  readonly rollup: string
  readonly table: string
  readonly definition: string | null
  /** `built`, or why none is read. */
  readonly state: 'built' | Extract<RollupState, { readonly kind: 'unusable' }>['reason']
  readonly says: string | null
  readonly builds: readonly BuildStatus[]
}

export interface BuildStatus {
  readonly build: string
  readonly table: string
  readonly definition: string
  readonly as_of: string
  readonly rows: number
  readonly state: RegisteredBuild['state']
  /** Whether questions read it. */
  readonly read: boolean
}

/** The comparison of a build with the facts. */
export interface RollupVerified extends Compared {
  readonly rollup: string
  readonly build: string
  /** What is wrong with it. */
  readonly fault: string | null
  /** Whether the registry says so: then no server reads it. */
  readonly registered: boolean
}
