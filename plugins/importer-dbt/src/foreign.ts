/** What importers and exporters of other formats begin with, too: texts with places, SQL, and a model that is being written. */
export { stringify as yamlText } from 'yaml'
export { Draft, type Entry, type FormatKeys, LeftOut } from './draft.js'
export { aggregateSql, columnsIn, countsRows, objectsIn } from './export/aggregate-sql.js'
export { type ColumnRef, comparisonSql, conditionSql } from './export/condition-sql.js'
export { FieldTypes } from './export/field-types.js'
export { needFine } from './export/fine-column.js'
export { FreeNames } from './export/free-names.js'
export { inOrder, namesReadBy } from './export/in-order.js'
export { eachInSteps, inTurns } from './export/in-turns.js'
export { PlacedText } from './export/placed-text.js'
export { homeOf, isOfTables, type NeedReach, needReach, reachOf, restricted } from './export/reach.js'
export { checkKeys, type KeyUse, Report } from './export/report.js'
export { reportDetours } from './export/report-detours.js'
export { loseAccess, type RestOfModel, reportRest, restOf } from './export/report-rest.js'
export { leftOut, Unsaid } from './export/unsaid.js'
export { type SqlSpelling, writtenSql } from './export/written-sql.js'
export { type Way, wayOf } from './join-path.js'
export { computed, declared, physical, quoted, reportAssumed, typed } from './members/columns.js'
export {
  type ColumnPair,
  endsAtKey,
  equalColumns,
  type JoinEntry,
  joinsFrom,
  sameJoin,
  sameType,
} from './members/equal-columns.js'
export {
  type MarkedText,
  type MemberReference,
  markedExpression,
  markedText,
  type NameReading,
  type Reference,
} from './members/marked-text.js'
export { isOfNumbers, MeasureWriter } from './members/measures.js'
export { opened } from './members/opened.js'
export { emptyOwner, fullName, type Owner, type OwnerContext, type OwnerWords } from './members/owner.js'
export { rowReading } from './members/row-reading.js'
export { type Part, type Place, partOf, partsOf, placeKey, Refused } from './part.js'
export { type Rule, ruleLeftOut, rulesIn, withRules } from './rules.js'
export { columnWords } from './select-statement.js'
export { type FunctionCall, type Reading, SqlFault, type SqlReader, sqlReader, type Use } from './sql-expression.js'
export { body, wordsOf } from './sql-node.js'
export { tableOf } from './table-of.js'
export type {
  ColumnType,
  Item,
  Metric,
  NonAdditive,
  OverTime,
  Relationship,
  RelationshipColumn,
  Table,
  View,
  ViewFormat,
} from './view/view.js'
export { type ViewKeys, type ViewText, viewDocument } from './view/view-document.js'
