import { Type } from '@grainline/core'
import { strict } from './common.js'

const Metadata = Type.Record(Type.String(), Type.String())
const time = (description: string) => Type.String({ format: 'date-time', description })

export const SessionCreate = strict({ metadata: Type.Optional(Metadata) }, { title: 'SessionCreate' })

export const Session = Type.Object(
  {
    session_id: Type.String(),
    created_at: time('When it was opened.'),
    last_accessed_at: time('Updated by every access by id.'),
    model_count: Type.Integer(),
    metadata: Metadata,
    expires_at: time('Idle deadline; moved by every access by id.'),
    max_expires_at: time('Absolute deadline.'),
  },
  { title: 'Session' },
)

export const SessionList = Type.Object({ sessions: Type.Array(Session) }, { title: 'SessionList' })
