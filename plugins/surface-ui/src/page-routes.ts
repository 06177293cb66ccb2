import { randomBytes } from 'node:crypto'
import { GrainlineError } from '@grainline/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Asset, BuiltPage } from './built-page.js'

export interface PageOptions {
  readonly page: BuiltPage
  /** The part of the path that a reverse proxy removes, if there is one. The page finds its files without this setting too. */
  readonly rootPath: string
}

/** Adds `/ui/`, which is a single page. Its state is after the `#`, which browsers do not send. */
export function pageRoutes(parent: FastifyInstance, { page, rootPath }: PageOptions): void {
  const base = rootPath === '' ? './' : `${rootPath.replace(/(?<!\/)\/+$/, '')}/ui/`
  parent.register(async (app) => {
    app.get('/ui', async (request, reply) => {
      const asked = (request.raw.url ?? '').split('?', 1)[0]!
      // The router may treat both spellings as the same route. A relative redirect keeps the prefix that a proxy removed.
      return asked.endsWith('/') ? sendPage(reply, page, base) : reply.redirect(rootPath === '' ? 'ui/' : base)
    })
    app.get('/ui/*', async (request, reply) => {
      const name = (request.params as { readonly '*': string })['*']
      if (name === '') return sendPage(reply, page, base)
      const asset = name.startsWith('assets/') ? page.assets.get(name.slice('assets/'.length)) : undefined
      if (asset === undefined) throw new GrainlineError('NOT_FOUND', 'The page has no such file')
      return sendAsset(request, reply, asset)
    })
  })
}

function sendPage(reply: FastifyReply, { html }: BuiltPage, base: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64url')
  reply.headers({ ...SECURITY, 'content-security-policy': policyWith(nonce), 'cache-control': 'no-store' })
  return reply.type('text/html; charset=utf-8').send(html.replaceAll('%NONCE%', nonce).replaceAll('%BASE%', escaped(base)))
}

/** Browsers may cache files forever, because their names contain a hash of the content. */
function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  const { type, etag, bytes, gzip, brotli } = asset
  reply.headers({ ...SECURITY, etag, vary: 'accept-encoding', 'cache-control': 'public, max-age=31536000, immutable' })
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  const accepted = String(request.headers['accept-encoding'] ?? '')
  reply.type(type)
  if (brotli && /\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(brotli)
  if (gzip && /\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(gzip)
  return reply.send(bytes)
}

const SECURITY = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' }

/** The content security policy allows only files of the page: no evaluated text, and no other host. */
const policyWith = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
