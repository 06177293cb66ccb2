import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy, IconX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { copyText } from './copy-text.js'

interface Props extends Pick<ActionIconProps, 'className' | 'size'> {
  /** Its label. */
  readonly label: string
  /** Its tooltip until something was copied. */
  readonly hint: string
  readonly text: () => string
  readonly icon?: ReactNode
}

const SHOWN_FOR = 1500
const OUTCOMES = {
  copied: { says: 'Copied', icon: <IconCheck size={16} aria-hidden /> },
  refused: { says: 'This browser does not let the page copy: select the text instead', icon: <IconX size={16} aria-hidden /> },
}

/** A button that copies, and briefly shows whether it succeeded. */
export function CopyAction({ label, hint, text, icon = <IconCopy size={16} aria-hidden />, ...look }: Props) {
  const [outcome, setOutcome] = useState<keyof typeof OUTCOMES>()
  const copy = async () => {
    setOutcome((await copyText(text())) ? 'copied' : 'refused')
    setTimeout(() => setOutcome(undefined), SHOWN_FOR)
  }
  const says = outcome && OUTCOMES[outcome].says
  return (
    <>
      <Tooltip label={says ?? hint}>
        <ActionIcon variant="subtle" aria-label={label} onClick={() => void copy()} {...look}>
          {outcome ? OUTCOMES[outcome].icon : icon}
        </ActionIcon>
      </Tooltip>
      <span className="visually-hidden" role="status">
        {says}
      </span>
    </>
  )
}
