/** A typed client of the REST API: `createClient({ baseUrl, apiKey, model })`. It uses `fetch` and nothing else. */
export type {
  Answer,
  AnswerColumn,
  Compiled,
  Composables,
  Definition,
  DimensionField,
  Examples,
  FactRows,
  Finding,
  FoundField,
  FoundFields,
  JoinGraph,
  Lineage,
  MeasureField,
  MetricField,
  ModelSchema,
  PlanNode,
  PublishedModel,
  Receipt,
  RollupVerdict,
  RowsBehind,
  TimeRange,
  Validation,
  Values,
} from './answers.js'
export { ApiError, type ApiProblem } from './api-error.js'
export type { Target } from './client.js'
export { type AskOptions, type Client, createClient, type RowFormat } from './client.js'
export type { CallOptions, ClientOptions } from './connection.js'
export type { AnyModel, ColumnName, DimensionName, DimensionText, MeasureName, ModelTypes, Scalar } from './model-types.js'
export type { Operator } from './operators.js'
export type { Condition, DimensionChoice, Exactly, Order, Query, RelativeRange } from './query.js'
export type { RowOf } from './row-of.js'
