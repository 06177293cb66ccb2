/** The description of a database's own tables; a first model is generated from it. */
export interface IntrospectedTable {
  readonly database?: string
  readonly schema?: string
  readonly name: string
  readonly comment?: string
  /** A view: its rows are those of other tables. Absent where the catalogue does not say. */
  readonly isView?: boolean
  readonly columns: readonly IntrospectedColumn[]
  /** Column names of the primary key, in order; empty without one. */
  readonly primaryKey: readonly string[]
  readonly foreignKeys: readonly IntrospectedForeignKey[]
}

/** A column of a table as the database describes it. */
export interface IntrospectedColumn {
  readonly name: string
  /** The type as the engine spells it, for example `character varying(40)`. */
  readonly sqlType: string
  readonly nullable: boolean
  /** The type has its own name, and its values are texts: an enumeration, or case-insensitive text. */
  readonly isText?: boolean
  /** No text says what a value is: the engine cannot convert a geometry or a vector to one. */
  readonly isBinary?: boolean
  readonly comment?: string
}

/** A declared reference from a table to another. `targetColumns` are in the order of `columns`. */
export interface IntrospectedForeignKey {
  readonly columns: readonly string[]
  readonly target: { readonly schema?: string; readonly name: string }
  readonly targetColumns: readonly string[]
  /**
   * The database refuses each write that would leave a row without a match: a row whose `columns` are not NULL has a row of the target
   * with the same values, and every reader sees it. Absent for a key that is only noted, that is not checked at present, or whose check
   * takes different texts for equal.
   */
  readonly enforced?: boolean
}
