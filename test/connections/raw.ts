/** Connections that send bytes and read only when they are asked to. */
import { once } from 'node:events'
import net from 'node:net'

export interface Raw {
  readonly socket: net.Socket
  /** Everything received until now. */
  text(): string
  /** Resolves when the text occurs, or the connection ends. */
  shows(text: string): Promise<void>
  readonly closed: Promise<unknown>
}

interface Manner {
  /** Without this nothing is read, not even that the server has closed. */
  readonly reads?: boolean
  readonly from?: string
}

/** A connection that has sent these bytes. */
export async function connection(
  port: number,
  bytes: string | Uint8Array = '',
  { reads = false, from = '127.0.0.1' }: Manner = {},
): Promise<Raw> {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress: from, allowHalfOpen: true })
  socket.on('error', () => socket.destroy())
  socket.once('end', () => socket.end())
  await once(socket, 'connect')
  let heard = ''
  if (reads)
    socket.setEncoding('latin1').on('data', (piece: string) => {
      heard += piece
    })
  else socket.pause()
  if (bytes.length > 0) socket.write(bytes)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  return {
    socket,
    text: () => heard,
    closed,
    async shows(text) {
      while (!heard.includes(text) && !socket.destroyed) await Promise.race([once(socket, 'data'), closed])
    },
  }
}

export const portOf = (url: string): number => Number(new URL(url).port)

/** `count` connections, opened one after the other so that no backlog overflows. */
export async function connections(
  count: number,
  port: number,
  bytes: string | Uint8Array = '',
  manner: Manner = {},
): Promise<readonly Raw[]> {
  const opened: Raw[] = []
  for (let i = 0; i < count; i++) opened.push(await connection(port, bytes, manner))
  return opened
}

export const request = (method: string, path: string, headers: readonly string[] = []): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')
