/** Accepts a pass that is signed with this server's secret: `AUTH_MODE=signed_pass`. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { definePlugin, fail, text } from '@grainline/core'
import type { Authenticator } from '@grainline/core/surface'

/** `name.expiry.signature`; the expiry is in seconds since 1970. */
export function passFor(name: string, expiry: number, secret: string): string {
  return `${name}.${expiry}.${signature(`${name}.${expiry}`, secret)}`
}

export const passAuthenticator = (secret: string): Authenticator => ({
  name: 'signed_pass',
  async authenticate(credential) {
    if (credential === undefined) return fail('AUTH_REQUIRED', 'A signed pass is required')
    const [, claims = '', name, expiry, given = ''] = /^((\w+)\.(\d+))\.([\w-]+)$/.exec(credential.value) ?? []
    if (name === undefined || !isEqual(given, signature(claims, secret))) return fail('AUTH_INVALID', 'The pass is not valid')
    if (Number(expiry) * 1000 < Date.now()) return fail('AUTH_INVALID', 'The pass has expired')
    return { id: `pass:${name}` }
  },
})

const signature = (claims: string, secret: string): string => createHmac('sha256', secret).update(claims).digest('base64url')

/** Compares in constant time. */
const isEqual = (a: string, b: string): boolean => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

export default definePlugin({
  name: '@grainline/example-authenticator',
  host: '^0.1.0',
  settings: { PASS_SECRET: text({ default: '', secret: true, means: 'What passes are signed with.' }) },
  setup(host) {
    const secret = host.settings.PASS_SECRET
    if (secret === '') fail('INVALID_CONFIG', 'PASS_SECRET is empty; passes need a secret', { path: 'PASS_SECRET' })
    host.authenticators.register(passAuthenticator(secret))
  },
})
