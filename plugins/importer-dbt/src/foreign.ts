/** What importers of other formats begin with, too: texts with places, SQL, and a model that is being written. */
export { Draft, type Entry, type FormatKeys, LeftOut } from './draft.js'
export { type Part, type Place, partsOf, Refused } from './part.js'
export { type FunctionCall, type Reading, type SqlReader, sqlReader, type Use } from './sql-expression.js'
