import type { Who } from '../api/types.js'

/** What an identity provider gave beside the token. */
export interface Login {
  /** With it the session goes on after the end of the token. */
  readonly refresh?: string
  /** It says to the provider whose login ends when they sign out. */
  readonly idToken?: string
}

const CREDENTIAL = 'grainline.credential'
const LOGIN = 'grainline.login'
const IDENTITY = 'grainline.identity'
/** What this page stores for one tab. */
const OF_PAGE = 'grainline.'

/**
 * Who asks in this tab, and with which key or token. It is read once, so that a page that is left still stores its drafts for the person who wrote
 * them. If the browser stores nothing, it is kept until the page is loaded again.
 */
export function personInTab(storage: () => Storage) {
  let key = attempt(() => storage().getItem(CREDENTIAL)) ?? undefined
  let login = loginIn(attempt(() => storage().getItem(LOGIN)) ?? undefined)
  let identity = attempt(() => storage().getItem(IDENTITY)) ?? undefined

  /** Empties what the tab keeps. Drafts, dashboards and earlier questions are kept for each person apart. */
  const forgetPerson = ({ keepCredential = false } = {}): void => {
    const isOver = (name: string) => name.startsWith(OF_PAGE) && !(keepCredential && (name === CREDENTIAL || name === LOGIN))
    attempt(() => {
      for (const name of Object.keys(storage()).filter(isOver)) storage().removeItem(name)
    })
  }
  return {
    /** The key or token that was entered; `undefined` if nobody signed in here. */
    credential: (): string | undefined => key,
    /** `undefined` if the person entered a key or token, or nobody signed in here. */
    login: (): Login | undefined => login,
    signInWith(value: string, given?: Login): void {
      key = value
      login = given
      attempt(() => storage().setItem(CREDENTIAL, value))
      attempt(() => (given === undefined ? storage().removeItem(LOGIN) : storage().setItem(LOGIN, JSON.stringify(given))))
    },
    /** The provider has ended it. The token stays, which the server no longer accepts, so that the page asks for a sign-in *again*. */
    endLogin(): void {
      login = undefined
      attempt(() => storage().removeItem(LOGIN))
    },
    /**
     * Takes note of who asks. False if it was somebody else before: all that the page knows is theirs, and it has to start anew. A server without keys
     * names nobody.
     */
    isSamePerson(who: Who | undefined): boolean {
      const now = who && [who.id, ...who.roles.toSorted()].join('\n')
      if (now === undefined || now === identity) return true
      if (identity !== undefined) forgetPerson({ keepCredential: true })
      attempt(() => storage().setItem(IDENTITY, now))
      if (identity !== undefined) return false
      identity = now
      return true
    },
    forgetPerson,
    /** What the names of stored drafts, dashboards and earlier questions end with, so that nobody sees those of another person. */
    ofPerson(): string {
      const [id] = identity?.split('\n') ?? []
      return id === undefined ? '' : `@${id}`
    },
  }
}

function loginIn(stored: string | undefined): Login | undefined {
  return attempt(() => JSON.parse(stored ?? 'null') ?? undefined)
}

/** A browser may refuse to store anything. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
