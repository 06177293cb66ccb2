import { fail } from '../errors.js'
import type { Session, SessionFacts, SessionStore } from '../session/session-store.js'
import type { Settings } from '../settings/core-variables.js'
import type { SessionInfo } from './held-models.js'
import { mayReach, sessionFor } from './resolve-model.js'
import type { SessionService } from './semantic-service.js'

export function createSessions<Held>(store: SessionStore<Held>, settings: Settings): SessionService {
  return {
    async createSession({ metadata, client, by }) {
      checkMetadata(metadata)
      return sessionInfo(store.create(metadata, client, by?.id))
    },
    async listSessions(by) {
      if (settings.DISABLE_SESSION_LIST) fail('SESSION_LIST_DISABLED', 'Listing sessions is disabled; use the id of your session')
      return store
        .list()
        .filter((session) => mayReach(session, by))
        .map(sessionInfo)
    },
    getSession: (id, by) => sessionInfo(sessionFor(id, by, store)),
    deleteSession: async (id, by) => store.delete(sessionFor(id, by, store).id),
  }
}

/** A session stores its metadata as long as it exists. */
const MAX_METADATA = 10_000

export function checkMetadata(metadata: Readonly<Record<string, string>>): void {
  const characters = Object.entries(metadata).reduce((sum, [key, value]) => sum + key.length + value.length, 0)
  if (characters > MAX_METADATA)
    fail('INVALID_REQUEST', `metadata has ${characters} characters; ${MAX_METADATA} are allowed`, { path: 'metadata' })
}

export const sessionInfo = (session: Session<unknown>): SessionInfo => factsInfo({ ...session, modelCount: session.models.size })

export function factsInfo(facts: SessionFacts): SessionInfo {
  return {
    session_id: facts.id,
    created_at: iso(facts.createdAt),
    last_accessed_at: iso(facts.lastAccessedAt),
    model_count: facts.modelCount,
    metadata: facts.metadata,
    expires_at: iso(facts.expiresAt),
    max_expires_at: iso(facts.maxExpiresAt),
  }
}

/** Whole seconds are written without a fraction, like 9999-12-31T23:59:59Z. */
function iso(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z')
}
