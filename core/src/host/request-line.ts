/** What the log says about a request that was answered. */
export interface RequestFacts {
  readonly reqId: string
  readonly method: string
  readonly url: string
  readonly status: number
  readonly milliseconds: number
  readonly client: string
}

/** The same for a person. */
export const sentenceOf = ({ method, url, status, milliseconds }: RequestFacts): string =>
  `${method} ${url} ${status} ${milliseconds} ms`

/** The members of the JSON of its line, without braces. Each request has one, so it is written without an object or a serializer. */
export function requestLine({ reqId, method, url, status, milliseconds, client }: RequestFacts): string {
  const path = inside(url)
  const took = String(milliseconds)
  return `"reqId":"${inside(reqId)}","method":"${method}","url":"${path}","status":${status},"milliseconds":${took},"client":"${inside(client)}","msg":"${method} ${path} ${status} ${took} ms"`
}

/** A text of JSON without its quotes. A method has only letters and hyphens. */
const inside = (text: string): string => (PLAIN.test(text) ? text : JSON.stringify(text).slice(1, -1))

/** Nothing to escape. */
const PLAIN = /^[\w./:%+~,;=@!$&'()*-]*$/
