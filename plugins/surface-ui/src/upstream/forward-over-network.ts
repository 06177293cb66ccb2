import http from 'node:http'
import https from 'node:https'
import type { Upstream, UpstreamAnswer } from './upstream.js'

export interface NetworkOptions {
  /** `API_BASE_URL`, which may have a path. */
  readonly address: string
  /** PEM files: the certificate authority of the API, and the client certificate with its key. */
  readonly tls?: { readonly ca?: Buffer; readonly cert?: Buffer; readonly key?: Buffer }
}

/** Forwards requests to a remote server over persistent connections. */
export function forwardOverNetwork({ address, tls = {} }: NetworkOptions): Upstream {
  const base = new URL(address)
  const secure = base.protocol === 'https:'
  const agent = secure ? new https.Agent({ keepAlive: true, ...tls }) : new http.Agent({ keepAlive: true })
  const send = secure ? https.request : http.request
  const prefix = base.pathname.replace(/(?<!\/)\/+$/, '')
  return ({ method, path, headers, body, remoteAddress, signal }) =>
    new Promise<UpstreamAnswer>((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(body.length) }
      const forwarded = { 'x-forwarded-for': [headers['x-forwarded-for'], remoteAddress].filter(Boolean).join(', ') }
      const { host: _asked, ...kept } = headers
      const options = { method, agent, signal, headers: { ...kept, ...forwarded, ...length } }
      const request = send(new URL(prefix + path, base), options, (answer) => {
        resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: answer })
      })
      request.on('error', reject)
      request.end(body)
    })
}
