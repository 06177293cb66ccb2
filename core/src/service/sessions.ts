import { fail } from '../errors.js'
import type { Session, SessionStore } from '../session/session-store.js'
import type { Settings } from '../settings/core-variables.js'
import type { SessionInfo } from './held-models.js'
import type { SessionService } from './semantic-service.js'

export function createSessions<Held>(store: SessionStore<Held>, settings: Settings): SessionService {
  return {
    createSession({ metadata, client }) {
      checkMetadata(metadata)
      return sessionInfo(store.create(metadata, client))
    },
    listSessions() {
      if (settings.DISABLE_SESSION_LIST) fail('SESSION_LIST_DISABLED', 'Sessions cannot be listed here; ask for yours by its id')
      return store.list().map(sessionInfo)
    },
    getSession: (id) => sessionInfo(store.access(id)),
    deleteSession: (id) => store.delete(id),
  }
}

/** A session holds its metadata as long as it lives. */
const MAX_METADATA = 10_000

function checkMetadata(metadata: Readonly<Record<string, string>>): void {
  const characters = Object.entries(metadata).reduce((sum, [key, value]) => sum + key.length + value.length, 0)
  if (characters > MAX_METADATA)
    fail('INVALID_REQUEST', `metadata has ${characters} characters; ${MAX_METADATA} are allowed`, { path: 'metadata' })
}

function sessionInfo(session: Session<unknown>): SessionInfo {
  return {
    session_id: session.id,
    created_at: iso(session.createdAt),
    last_accessed_at: iso(session.lastAccessedAt),
    model_count: session.models.size,
    metadata: session.metadata,
    expires_at: iso(session.expiresAt),
    max_expires_at: iso(session.maxExpiresAt),
  }
}

/** Whole seconds are written without a fraction, as 9999-12-31T23:59:59Z is. */
function iso(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z')
}
