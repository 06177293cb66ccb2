import { Button, FileButton, Group, Modal, Textarea } from '@mantine/core'
import { useState } from 'react'
import { type Converted, convert } from '../api/grainline.js'
import { type Problem, problemOfError } from '../api/request.js'
import { type ChosenText, isOwn, pasted, textOfFiles } from './chosen-text.js'
import { ImportReport } from './import-report.js'
import { ProblemNotice } from './problem-notice.js'
import { useFocusBack } from './use-focus-back.js'

interface Props {
  readonly onClose: () => void
  readonly onOpen: (yaml: string) => Promise<void>
}

const FILES = '.yaml,.yml,.json,.lkml,.lookml,.tmdl,.sql'

/** A model of the user, from files or pasted, in a session of this tab. One of another product is shown with what became of it first. */
export default function OpenModel({ onClose, onOpen }: Props) {
  useFocusBack()
  const [chosen, setChosen] = useState<ChosenText>(pasted(''))
  const [converted, setConverted] = useState<Converted>()
  const [problem, setProblem] = useState<Problem>()
  const [busy, setBusy] = useState(false)
  const run = async (step: () => Promise<void>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await step()
    } catch (error) {
      setProblem(problemOfError(error))
    } finally {
      setBusy(false)
    }
  }
  const load = (yaml: string) =>
    run(async () => {
      await onOpen(yaml)
      onClose()
    })
  const read = (dropsSecurity: boolean) => run(async () => setConverted(await convert(chosen.text, dropsSecurity)))
  const hasRules = problem?.errors?.some(({ hint }) => hint?.includes('drop_security')) ?? false
  return (
    <Modal opened onClose={onClose} title="Open a model" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      {converted ? (
        <ImportReport converted={converted} chosen={chosen} />
      ) : (
        <Textarea
          label="Model document"
          description="YAML or JSON, or a model of another product. It is kept in a session of this tab and is gone when that expires."
          value={chosen.text}
          onChange={(event) => setChosen(pasted(event.currentTarget.value))}
          // A box that measures its text takes seconds for a large model.
          rows={16}
          classNames={{ input: 'mono' }}
          data-autofocus
        />
      )}
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <Group justify="space-between" mt="md">
        {converted ? (
          <Button variant="default" onClick={() => setConverted(undefined)}>
            Back
          </Button>
        ) : (
          <FileButton multiple accept={FILES} onChange={(files) => void textOfFiles(files).then(setChosen)}>
            {(props) => (
              <Button variant="default" {...props}>
                Choose files
              </Button>
            )}
          </FileButton>
        )}
        <Group>
          {hasRules && (
            <Button variant="default" onClick={() => read(true)} loading={busy}>
              Leave access rules out
            </Button>
          )}
          {converted ? (
            <Button onClick={() => load(converted.model_yaml)} loading={busy} data-autofocus>
              Load this model
            </Button>
          ) : (
            <Button
              onClick={() => (isOwn(chosen) ? load(chosen.text) : read(false))}
              loading={busy}
              disabled={chosen.text.trim() === ''}
            >
              Load
            </Button>
          )}
        </Group>
      </Group>
    </Modal>
  )
}
