import type { Authenticator } from '../host/points.js'

/** Lets everybody in, with or without a credential. */
export const none: Authenticator = Object.freeze({
  name: 'none',
  authenticate: async () => ({ id: 'anonymous' }),
})
