import { askPage, send } from '../api/send.js'
import { readOwnSession } from '../state/kept.js'
import { credential, forgetPerson, login } from './identity.js'
import { startAnew } from './start-anew.js'

/**
 * Ends the session of this tab on the server and the refresh token, forgets all of this person, and goes to the provider, where their login ends; without one
 * it loads the page again.
 */
export async function signOut(): Promise<void> {
  const [own, signedIn] = [readOwnSession(), login()]
  // Before anything is asked, which may take a while.
  forgetPerson()
  // A session that cannot be closed expires, and so does a refresh token.
  if (own !== undefined)
    await send(`v1/sessions/${encodeURIComponent(own.session)}`, { method: 'DELETE' }, credential()).catch(() => undefined)
  if (signedIn?.refresh !== undefined) await askPage('sign-out', { refresh: signedIn.refresh }).catch(() => undefined)
  if (signedIn === undefined) return startAnew()
  const { readProvider, logoutAt } = await import('./provider.js')
  const provider = await readProvider()
  if (provider === undefined || !('logout' in provider) || provider.logout === undefined) return startAnew()
  location.replace(logoutAt(provider.logout, provider.client, signedIn.idToken))
}
