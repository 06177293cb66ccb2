/** The public keys of an issuer. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fail, messageOf } from '@grainline/core'
import { createLocalJWKSet, createRemoteJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'

export interface KeySet {
  readonly keyFor: JWTVerifyGetKey
  /** Reads a file again. Throws `INVALID_OPTIONS`; the old keys remain. */
  readonly reload: () => void
}

/** The keys at a URL, which are fetched when they are needed, or of a file. Throws `INVALID_OPTIONS` with the reason. */
export function keySet(from: string, base: string): KeySet {
  if (!/^[a-z][a-z\d+.-]+:\/\//i.test(from)) return ofFile(path.resolve(base, from))
  const url = URL.canParse(from) ? new URL(from) : refuse(`'${from}' is not a URL`)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    refuse(`'${from}' is not an address of https, so that others could replace the keys`)
  return { keyFor: createRemoteJWKSet(url), reload: () => undefined }
}

function ofFile(file: string): KeySet {
  let current = read(file)
  return {
    keyFor: (header, token) => current(header, token),
    reload: () => {
      current = read(file)
    },
  }
}

function read(file: string): JWTVerifyGetKey {
  try {
    const set = JSON.parse(readFileSync(file, 'utf8')) as JSONWebKeySet
    const secret = set.keys.find((key) => key.kty === 'oct' || 'd' in key)
    if (secret) return refuse(`the file ${file} has a secret key; it needs the public keys only`)
    return createLocalJWKSet(set)
  } catch (cause) {
    return refuse(`the file ${file} is no set of public keys (JWKS): ${messageOf(cause)}`)
  }
}

const isLoopback = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host)

const refuse = (why: string): never => fail('INVALID_OPTIONS', `@grainline/auth-jwt: ${why}`, { path: '/keys' })
