import { Type } from '@grainline/core'
import { TargetQuery } from '../schemas/common.js'

/** The query parameters of a query shortcut. */
export const QueryUrl = Type.Object({ ...TargetQuery.properties, dialect: Type.Optional(Type.String()) })
