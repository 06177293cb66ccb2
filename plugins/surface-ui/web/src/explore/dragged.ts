import type { FieldKind } from '../query/query.js'

/** Media type of a field on its way from the tree, or from another place of its shelf. */
export const DRAGGED = 'application/x-grainline-field'

export interface Dragged {
  readonly kind: FieldKind
  readonly name: string
  /** Where it was on its shelf. */
  readonly from?: number
}

export function readDragged(data: DataTransfer): Dragged | undefined {
  const text = data.getData(DRAGGED)
  return text === '' ? undefined : (JSON.parse(text) as Dragged)
}
