/** The document as written. The TypeBox schema in this file is the single statement of its shape. */
export type ModelDocument = Readonly<Record<string, unknown>>
