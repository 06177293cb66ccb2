import type { RollupStates } from '../bind/rollups/rollup-states.js'
import type { Parameter } from '../model/expression/ast.js'
import type { AggregateSpec, FunctionSpec } from '../model/functions/function-spec.js'
import type { ParameterValues } from '../model/parameter.js'
import type { TableSource } from '../model/semantic-model.js'
import type { StoredTypes } from '../model/stored-column.js'
import type { CellView, ShownTypes } from '../resolve/resolved-query.js'
import type { Dialect } from '../sql/dialect.js'

/** The input of a compilation besides the query and the model; the same for every query of a host. */
export interface CompileContext {
  readonly dialect: Dialect
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
  /** The clock of the service, read once per query; relative filters and `current_date()` use it. */
  readonly now: Date
  /** How the database stores the columns, or what is assumed of it. */
  readonly storedTypes: StoredTypes
  /** Applied when the query has no limit of its own. */
  readonly defaultLimit?: number
  /** Instead of the tuples of the query's dimensions, one row for each row of this data object, in any order. */
  readonly everyRowOf?: string
  /** Dimensions that the answer shows as times of another type than their periods have, by name. */
  readonly shownAs?: ShownTypes
  /** The names of the columns of the answer, in place of their own. */
  readonly columnNames?: readonly string[]
  /** Compiles not the answer but the rows behind one cell of it, for a query with one measure. */
  readonly behind?: CellView
  /** The values of the parameters that the model's expressions read. They are read only where the statement is written. */
  readonly parameters?: ParameterValues
  /** What stands in the text for a value of access rules, in a view that principals with other values share. */
  readonly placeOf?: (value: Parameter) => string
  /** The tables from which rollups of the model are read, by the names of these, the best first; none by default. */
  readonly rollupTables?: ReadonlyMap<string, TableSource>
  /** The build of each rollup, or why none may be read now; without it, nothing is said of builds. */
  readonly rollupStates?: RollupStates
  /** Refuses a query of which not every number is read from a rollup. */
  readonly requiresRollups?: boolean
  /** The names of rules for speed that are left out: of `RULES`. */
  readonly without?: ReadonlySet<string>
  /** Whether the driver checks after each rule that what each value is computed from is the same. */
  readonly checksRules?: boolean
  /** The maximum number of steps; a query that needs more is refused with `COMPILE_BUDGET`. */
  readonly maxSteps?: number
}
