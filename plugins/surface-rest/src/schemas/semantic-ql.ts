import { Type } from '@grainline/core'
import { nullable, strict } from './common.js'
import { Compiled, Query } from './queries.js'

const text = Type.Optional(nullable(Type.String()))
const statement = {
  model_id: text,
  sql: Type.String({ minLength: 1, maxLength: 1_000_000, description: 'SELECT dimensions and measures FROM model.' }),
  dialect: text,
}

export const SessionSql = strict(statement, { title: 'SessionStatementRequest' })
export const ShortcutSql = strict({ session_id: text, model: text, ...statement }, { title: 'StatementRequest' })
export const CompiledSql = Type.Object(
  {
    ...Compiled.properties,
    query: Type.Unsafe<unknown>({ ...Query, description: 'The QueryObject that the statement became.' }),
  },
  { title: 'CompiledStatement' },
)
