import type { Principal } from '../auth/principal.js'

/** The client, as a surface knows it. */
export interface Asker {
  readonly principal: Principal
  readonly surface: string
  readonly requestId?: string | undefined
  /** The address of the client. */
  readonly address?: string | undefined
}
