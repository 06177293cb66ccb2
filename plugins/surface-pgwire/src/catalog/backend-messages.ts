/** Reads messages of the catalogue's database. */
import { BACKEND } from '../wire/codes.js'
import { MessageReader } from '../wire/message-reader.js'
import type { Field } from '../wire/messages.js'
import { PgError } from '../wire/pg-error.js'

export interface CatalogAnswer {
  readonly parameters: readonly number[]
  /** `undefined` for a statement that returns no rows. */
  readonly fields: readonly Field[] | undefined
  /** The bodies of DataRow messages. */
  readonly rows: readonly Buffer[]
  readonly tag: string
  /** Whether there are more rows than were requested. */
  readonly suspended: boolean
}

/** Reads a complete answer. Throws the error that it contains. */
export function readAnswer(bytes: Uint8Array): CatalogAnswer {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const rows: Buffer[] = []
  const answer: { -readonly [K in keyof CatalogAnswer]: CatalogAnswer[K] } = {
    parameters: [],
    fields: undefined,
    rows,
    tag: '',
    suspended: false,
  }
  for (let at = 0; at + 5 <= all.length; ) {
    const end = at + 1 + all.readInt32BE(at + 1)
    const body = all.subarray(at + 5, end)
    switch (all[at]) {
      case BACKEND.errorResponse:
        throw readError(body)
      case BACKEND.parameterDescription:
        answer.parameters = readParameters(new MessageReader(body))
        break
      case BACKEND.rowDescription:
        answer.fields = readFields(new MessageReader(body))
        break
      case BACKEND.dataRow:
        rows.push(body)
        break
      case BACKEND.commandComplete:
        answer.tag = new MessageReader(body).cstring()
        break
      case BACKEND.portalSuspended:
        answer.suspended = true
    }
    at = end
  }
  return answer
}

export function readError(body: Buffer): PgError {
  const reader = new MessageReader(body)
  const fields = new Map<string, string>()
  for (let letter = reader.int8(); letter !== 0; letter = reader.int8()) fields.set(String.fromCharCode(letter), reader.cstring())
  const position = fields.get('P')
  return new PgError(fields.get('C') ?? 'XX000', fields.get('M') ?? 'unknown error', {
    detail: fields.get('D'),
    hint: fields.get('H'),
    position: position === undefined ? undefined : Number(position),
  })
}

const readParameters = (reader: MessageReader): number[] => Array.from({ length: reader.int16() }, () => reader.int32())

function readFields(reader: MessageReader): Field[] {
  return Array.from({ length: reader.int16() }, () => {
    const name = reader.cstring()
    const [table, column, type, size, typeModifier] = [
      reader.int32(),
      reader.int16(),
      reader.int32(),
      reader.int16(),
      reader.int32(),
    ]
    reader.int16()
    return { name, table, column, type, size, typeModifier }
  })
}
