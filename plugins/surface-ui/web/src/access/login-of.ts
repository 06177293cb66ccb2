import type { Login } from './person-in-tab.js'

/** What the server of the page says of a sign-in with a provider. */
export interface Answered extends Login {
  readonly token: string
}

/** What there is to keep besides the token. A provider that gives nothing new means that what it gave before is still good. */
export function loginOf({ refresh, idToken }: Answered, before: Login = {}): Login {
  return { ...before, ...(refresh !== undefined && { refresh }), ...(idToken !== undefined && { idToken }) }
}
