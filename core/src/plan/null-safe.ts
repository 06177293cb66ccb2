import type { Expr } from '../model/expression/ast.js'
import { call } from '../resolve/expressions.js'

/** Equal, or both NULL: how rows of several row sets meet. Its spelling is the dialect's. */
export const sameOrBothNull = <L>(own: Expr<L>, theirs: Expr<L>): Expr<L> => call('same', own, theirs)
