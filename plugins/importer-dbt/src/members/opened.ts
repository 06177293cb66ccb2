import { LeftOut } from '../draft.js'
import type { OwnerWords } from './owner.js'

/** Writes a member. Throws if it is being written already, or if too many are. */
export function opened<T>(
  full: string,
  { open, words }: { readonly open: Set<string>; readonly words: OwnerWords },
  write: () => T,
): T {
  if (open.has(full)) throw new LeftOut(`'${full}' reads itself`)
  if (open.size > MOST_OPEN) throw new LeftOut(`more than ${MOST_OPEN} ${words.members} read each other`)
  open.add(full)
  try {
    return write()
  } finally {
    open.delete(full)
  }
}

const MOST_OPEN = 100
