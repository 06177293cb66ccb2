import { ActionIcon, Tooltip } from '@mantine/core'
import { IconPalette } from '@tabler/icons-react'
import { useState } from 'react'
import { readColoured, writeColoured } from '../state/kept.js'

/** Whether numbers are coloured by their size, which the browser remembers, and the button that changes it. */
export function useColoured() {
  const [coloured, setColoured] = useState(readColoured)
  const change = () => {
    writeColoured(!coloured)
    setColoured(!coloured)
  }
  return { coloured, colourSwitch: <ColourSwitch {...{ coloured, change }} /> }
}

function ColourSwitch({ coloured, change }: { readonly coloured: boolean; readonly change: () => void }) {
  return (
    <Tooltip label="Colour numbers by their size">
      <ActionIcon
        variant={coloured ? 'light' : 'subtle'}
        aria-label="Colour numbers by their size"
        aria-pressed={coloured}
        onClick={change}
      >
        <IconPalette size={17} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
