import { Modal, TextInput } from '@mantine/core'
import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import { useFocusBack } from './use-focus-back.js'

/** A command of this page. */
export interface Command {
  readonly title: string
  /** Its kind, or what it does. */
  readonly kind: string
  readonly act: () => void
}

interface Props {
  readonly commands: readonly Command[]
  readonly onClose: () => void
}

const SHOWN = 40

/** All commands, found by typing. Arrows move, Enter runs one. */
export function Palette({ commands, onClose }: Props) {
  useFocusBack()
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const id = useId()
  const found = useMemo(() => matching(commands, text), [commands, text])
  const act = (command: Command | undefined) => {
    if (command === undefined) return
    onClose()
    command.act()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setActive((now) => Math.max(0, Math.min(found.length - 1, now + step)))
    else if (event.key === 'Enter') act(found[active])
    else return
    event.preventDefault()
  }
  return (
    <Modal opened onClose={onClose} withCloseButton={false} size="lg" yOffset="12vh" title="Commands" padding="sm">
      <TextInput
        role="combobox"
        aria-label="Command"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={found[active] ? `${id}-${active}` : undefined}
        placeholder="A field, an example, or what you want to do"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
        data-autofocus
      />
      <div className="palette" role="listbox" id={id} aria-label="Commands">
        {found.map((command, n) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field above has the focus and names the active entry.
          <div
            key={`${command.kind} ${command.title}`}
            id={`${id}-${n}`}
            role="option"
            aria-selected={n === active}
            ref={(entry) => {
              if (n === active) entry?.scrollIntoView({ block: 'nearest' })
            }}
            onClick={() => act(command)}
          >
            <span>{command.title}</span>
            <span className="quiet">{command.kind}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="quiet pad">Nothing here has that name.</p>}
    </Modal>
  )
}

/** Every word must be found; commands that begin with the text come first. */
function matching(commands: readonly Command[], text: string): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const named = commands.map((command) => ({ command, searched: `${command.title} ${command.kind}`.toLowerCase() }))
  const found = named.filter(({ searched }) => words.every((word) => searched.includes(word)))
  const [first = ''] = words
  return found
    .toSorted((a, b) => Number(b.searched.startsWith(first)) - Number(a.searched.startsWith(first)))
    .slice(0, SHOWN)
    .map(({ command }) => command)
}
