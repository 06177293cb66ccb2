/** The content of a `.env` file. */
export interface Dotenv {
  readonly values: Readonly<Record<string, string>>
  /** The numbers of lines that are neither empty, nor a comment, nor `NAME=value`. They change no other line. */
  readonly unreadable: readonly number[]
}

/**
 * Reads `.env` as Node does, except that a line that cannot be read never swallows another one: Node 20 takes the next setting as part of
 * it, so that a stray line before `AUTH_MODE=api_key` would open the server.
 */
export function readDotenv(bytes: Uint8Array): Dotenv {
  const lines = decoded(bytes).split(/\r\n|\n|\r/)
  const values = new Map<string, string>()
  const unreadable: number[] = []
  for (let at = 0; at < lines.length; ) {
    const text = lines[at]!.trim()
    const [, name, rest = ''] = ASSIGNMENT.exec(text) ?? []
    const { value, taken } = readValue(rest, lines.slice(at + 1))
    if (name !== undefined && value !== undefined) values.set(name, value)
    else if (text !== '' && !text.startsWith('#')) unreadable.push(at + 1)
    at += 1 + taken
  }
  return { values: Object.fromEntries(values), unreadable }
}

const ASSIGNMENT = /^(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(.*)$/
/** Not the end of a value in base64, as keys in several lines have it. */
const SETS_SOMETHING = /^\s*(?:export\s+)?[A-Za-z_][\w.-]*\s*=\s*[^=\s]/

/** Editors and shells of Windows write a byte-order mark, or UTF-16. */
function decoded(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes)
}

interface Read {
  /** Absent where a quotation mark is not closed. */
  readonly value?: string
  /** How many of the following lines belong to it. */
  readonly taken: number
}

function readValue(rest: string, following: readonly string[]): Read {
  const mark = rest[0]
  if (mark !== '"' && mark !== "'" && mark !== '`') return { value: rest.split('#', 1)[0]!.trim(), taken: 0 }
  const end = rest.indexOf(mark, 1)
  if (end !== -1) return { value: unescaped(rest.slice(1, end), mark), taken: 0 }
  const last = following.findIndex((line) => line.includes(mark) || SETS_SOMETHING.test(line))
  const closing = following[last]
  if (closing === undefined || SETS_SOMETHING.test(closing)) return { taken: 0 }
  const text = [rest.slice(1), ...following.slice(0, last), closing.slice(0, closing.indexOf(mark))].join('\n')
  return { value: unescaped(text, mark), taken: last + 1 }
}

const unescaped = (text: string, mark: string): string => (mark === '"' ? text.replaceAll('\\n', '\n') : text)
