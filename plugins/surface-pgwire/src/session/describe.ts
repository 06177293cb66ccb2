import type { Field } from '../wire/messages.js'
import type { Portal, Prepared } from './portal.js'
import { openPortal } from './portal-rows.js'
import type { Session } from './session.js'
import { showFields } from './show.js'

export interface Described {
  readonly parameters: readonly number[]
  /** `undefined` for a statement that returns no rows. */
  readonly fields: readonly Field[] | undefined
}

/** The parameters and columns of a prepared statement. No query runs. */
export async function describePrepared(session: Session, prepared: Prepared): Promise<Described> {
  const { statement, types } = prepared
  switch (statement?.kind) {
    case 'select': {
      const stop = new AbortController()
      const principal = session.services.principal()
      if (prepared.described && prepared.describedFor === principal) return prepared.described
      const described = await session.watched(stop, () => session.services.answerer.describe(statement, types, stop.signal))
      prepared.described = described
      prepared.describedFor = principal
      return described
    }
    case 'show':
      return { parameters: [], fields: showFields(statement.name) }
    case 'fetch': {
      const cursor = session.portalNamed(statement.name)
      return {
        parameters: [],
        fields: cursor === undefined || statement.move ? undefined : await describePortal(session, cursor),
      }
    }
    case 'execute':
      return { parameters: [], fields: (await describePrepared(session, session.statementNamed(statement.name))).fields }
    default:
      return { parameters: [], fields: undefined }
  }
}

/** The columns of a portal. */
export async function describePortal(session: Session, portal: Portal): Promise<readonly Field[] | undefined> {
  const { statement } = portal
  switch (statement?.kind) {
    case 'select':
      return (await openPortal(session, portal)).stream.fields
    default:
      return (await describePrepared(session, { statement, types: [] })).fields
  }
}
