/** A measure that is to be set beside itself in an earlier period, by a time dimension. */
export interface Comparison {
  readonly measure: string
  readonly time: string
}
