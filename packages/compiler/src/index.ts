/** The compiler of Grainline: a model and a query become SQL. It needs neither Node nor a server. */
export { type Column, type Compiled, type CompileOptions, compile, refusalOf } from './compile.js'
export { dialects } from './dialects.js'
export type { Field, Finding, Model } from './model.js'
export { type ReadModel, type ReadOptions, readModel } from './read-model.js'
