import type { IncomingMessage } from 'node:http'

/** Whether a request has more than one header `Host`: a proxy may check another one than the server reads. Node keeps the first. */
export const hasSeveralHosts = ({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean =>
  rawHeaders.filter(isHost).length > 1

/** Names are at even places. */
const isHost = (text: string, at: number): boolean => at % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host'
