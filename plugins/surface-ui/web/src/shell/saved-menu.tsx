import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { useRef } from 'react'

interface Props {
  readonly canSave: boolean
  readonly onAdd: () => void
  readonly onSave: () => void
  /** Adds the question to the examples of the model. */
  readonly onExample: () => void
  readonly onOpen: (file: File) => void
}

/** Saves the question as a file or as a tile of the dashboard, and opens what was saved. */
export function SavedMenu({ canSave, onAdd, onSave, onExample, onOpen }: Props) {
  const choose = useRef<HTMLInputElement>(null)
  return (
    <>
      <Menu position="bottom-end" shadow="md" width={260}>
        <Menu.Target>
          <Tooltip label="Save and open questions">
            <ActionIcon variant="subtle" size="lg" aria-label="Save and open">
              <IconBookmark size={19} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item disabled={!canSave} onClick={onAdd}>
            Add this question to the dashboard
          </Menu.Item>
          <Menu.Item disabled={!canSave} onClick={onSave}>
            Save this question as a file
          </Menu.Item>
          <Menu.Item disabled={!canSave} onClick={onExample}>
            Write it into the model as an example
          </Menu.Item>
          <Menu.Item onClick={() => choose.current?.click()}>Open a question or dashboard</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <input
        ref={choose}
        type="file"
        accept=".yaml,.yml"
        hidden
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // The same file can be chosen again.
          currentTarget.value = ''
          if (file) onOpen(file)
        }}
      />
    </>
  )
}
