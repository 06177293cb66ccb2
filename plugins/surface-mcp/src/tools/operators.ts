// Written by scripts/reference.ts from core/src/model/operators.ts. Do not edit.
// biome-ignore-all format: a table
/** The operators of filters. A sentence takes fewer tokens than an enum, and the API suggests the nearest operator. */
export const OPERATORS =
  '= != > >= < <=; in blank contains like regex between, also not_…; is_not_null is_null starts_with ends_with relative exists nonexists length_eq|gt|lt'
