import { ansi } from './ansi.js'
import { type Dialect, defineDialect } from './dialect.js'
import { SEMANTICS, type Semantics } from './semantics.js'

/** An engine that does everything. */
const everything = Object.fromEntries(SEMANTICS.map((key) => [key, true])) as Record<keyof Semantics, boolean>

/** The dialect of no engine: for tests of what is not about SQL, and for pages that show SQL. The standard leaves the digits of an average open. */
export const standard: Dialect = defineDialect(ansi, { name: 'ansi', semantics: { ...everything, exactAverages: false } })
