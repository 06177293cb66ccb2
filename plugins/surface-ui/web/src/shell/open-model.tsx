import { Button, FileButton, Group, Modal, Textarea } from '@mantine/core'
import { useState } from 'react'
import { type Problem, problemOfError } from '../api/request.js'
import { ProblemNotice } from './problem-notice.js'
import { useFocusBack } from './use-focus-back.js'

interface Props {
  readonly onClose: () => void
  readonly onOpen: (yaml: string) => Promise<void>
}

/** A model of the user, from a file or pasted, in a session of this tab. */
export default function OpenModel({ onClose, onOpen }: Props) {
  useFocusBack()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<Problem>()
  const [busy, setBusy] = useState(false)
  const load = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      await onOpen(text)
      onClose()
    } catch (error) {
      setProblem(problemOfError(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title="Open a model" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Textarea
        label="Model document"
        description="YAML or JSON. It is kept in a session of this tab and is gone when that expires."
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        // A box that measures its text takes seconds for a large model.
        rows={16}
        classNames={{ input: 'mono' }}
        data-autofocus
      />
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <Group justify="space-between" mt="md">
        <FileButton accept=".yaml,.yml,.json" onChange={(file) => void file?.text().then(setText)}>
          {(props) => (
            <Button variant="default" {...props}>
              Choose a file
            </Button>
          )}
        </FileButton>
        <Button onClick={load} loading={busy} disabled={text.trim() === ''}>
          Load
        </Button>
      </Group>
    </Modal>
  )
}
