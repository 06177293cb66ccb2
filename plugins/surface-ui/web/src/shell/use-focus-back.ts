import { useLayoutEffect } from 'react'

/** Returns the focus to the previous element when the calling dialog is unmounted. Mantine does so only for a dialog that stays mounted. */
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
