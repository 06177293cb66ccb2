/** How the values of disjoint sets of rows combine to the value of their union. */
export const REFOLD: Readonly<Record<string, string>> = {
  sum: 'sum',
  count: 'sum',
  count_if: 'sum',
  min: 'min',
  max: 'max',
  any_value: 'min',
  bool_and: 'bool_and',
  bool_or: 'bool_or',
}
