import type { FieldKind } from '../query/query.js'

/** The media type of a field that is dragged from the tree, or within its shelf. */
export const DRAGGED = 'application/x-grainline-field'

export interface Dragged {
  readonly kind: FieldKind
  readonly name: string
  /** Its position on the shelf. */
  readonly from?: number
}

export function readDragged(data: DataTransfer): Dragged | undefined {
  const text = data.getData(DRAGGED)
  return text === '' ? undefined : JSON.parse(text)
}
