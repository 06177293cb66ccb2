import { useLayoutEffect } from 'react'

/** Gives the keyboard back to what had it, when the dialog that calls this is gone. Mantine does so only for a dialog that stays mounted. */
export function useFocusBack(): void {
  useLayoutEffect(() => {
    const had = document.activeElement
    return () => {
      setTimeout(() => {
        const { activeElement, body } = document
        const isLost = activeElement === null || activeElement === body
        if (isLost && had instanceof HTMLElement) had.focus({ preventScroll: true })
      })
    }
  }, [])
}
