import { Type } from '@grainline/core'
import { TargetQuery } from '../schemas/common.js'

/** What the URL of a query shortcut may say beside its body. */
export const QueryUrl = Type.Object({ ...TargetQuery.properties, dialect: Type.Optional(Type.String()) })
