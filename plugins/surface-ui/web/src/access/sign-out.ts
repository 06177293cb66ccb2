import { closeSession } from '../api/grainline.js'
import { readOwnSession } from '../state/kept.js'
import { forgetPerson } from './identity.js'
import { startAnew } from './start-anew.js'

/** Ends the session of this tab on the server, forgets the key or token, and loads the page without anything of this person. */
export async function signOut(): Promise<void> {
  const own = readOwnSession()
  // Before the session is closed, which may take a while.
  forgetPerson()
  // A session that cannot be closed expires.
  if (own !== undefined) await closeSession(own.session).catch(() => undefined)
  startAnew()
}
