/**
 * Resolves to whether the text is on the clipboard. Browsers give a page `navigator.clipboard` over TLS and from this machine alone; a page that
 * a colleague opens over plain HTTP has the older command.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByCommand(text)
  }
}

function copyByCommand(text: string): boolean {
  const had = document.activeElement
  const field = document.createElement('textarea')
  field.className = 'visually-hidden'
  field.value = text
  // Inside the dialog, because a dialog that traps focus takes it back at once from a field outside.
  ;(had?.closest('[role=dialog], [role=menu]') ?? document.body).append(field)
  try {
    field.select()
    return document.execCommand('copy')
  } finally {
    field.remove()
    if (had instanceof HTMLElement) had.focus({ preventScroll: true })
  }
}
