/** What the client knows about a model at compile time. `grainline codegen` writes such an interface for a model. */
export interface ModelTypes {
  /** The value of each dimension, by its name. */
  dimensions: object
  /** Names of dimensions that take a grain. */
  times: string
  /** Grains of times: the standard ones and those of the model's calendars. */
  grains: string
  /** The value of each measure and metric, by its name. */
  measures: object
  /** The value of each column, by `Object.Column`: for raw rows. */
  columns: object
  /** Names of named filters. */
  segments: string
  /** The value of each parameter, by its name; lists are lists. */
  parameters?: object
}

/** A value of an answer. Decimals and integers beyond 2^53 are text, so that no digit is lost. */
export type Scalar = string | number | boolean | null

/** Any model: every name is accepted and every value is a `Scalar`. */
export interface AnyModel {
  dimensions: Record<string, Scalar>
  times: string
  grains: string
  measures: Record<string, Scalar>
  columns: Record<string, Scalar>
  segments: string
}

export type DimensionName<M extends ModelTypes> = keyof M['dimensions'] & string
export type MeasureName<M extends ModelTypes> = keyof M['measures'] & string
/** Models whose types do not list parameters take any. */
export type ParameterName<M extends ModelTypes> = keyof ParametersOf<M> & string
export type ParameterValues<M extends ModelTypes> = Partial<ParametersOf<M>>
type ParametersOf<M extends ModelTypes> = M extends { parameters: infer P extends object }
  ? P
  : Readonly<Record<string, Scalar | readonly Scalar[]>>
export type ColumnName<M extends ModelTypes> = keyof M['columns'] & string
/** `Name`, or `Name:grain` of a time. */
export type DimensionText<M extends ModelTypes> = DimensionName<M> | `${M['times']}:${M['grains']}`
