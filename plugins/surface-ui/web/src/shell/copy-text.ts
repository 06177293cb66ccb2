/**
 * Resolves to whether the text is on the clipboard. Browsers offer `navigator.clipboard` only over TLS and on localhost; a page over plain HTTP needs the
 * older command.
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
  // The field is inside the dialog, because a dialog takes the focus back from a field outside.
  ;(had?.closest('[role=dialog], [role=menu]') ?? document.body).append(field)
  try {
    field.select()
    return document.execCommand('copy')
  } finally {
    field.remove()
    if (had instanceof HTMLElement) had.focus({ preventScroll: true })
  }
}
