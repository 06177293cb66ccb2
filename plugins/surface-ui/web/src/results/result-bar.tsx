import { ActionIcon, Button, Loader, Menu, Popover, Tooltip } from '@mantine/core'
import { IconDownload, IconReceipt } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense } from 'react'
import type { DownloadFormat } from '../api/grainline.js'
import type { Answer } from '../api/read-arrow.js'
import type { Receipt } from '../api/types.js'
import type { Run } from '../state/use-run.js'
import { ResultFacts } from './result-facts.js'

const ReceiptPage = lazy(() => import('./receipt-page.js'))

interface Props extends Pick<Run, 'running'> {
  /** Absent until a query has run. */
  readonly answer: Answer | undefined
  /** The switch of the form comes first. */
  readonly formSwitch: ReactNode
  /** What this form can do besides. */
  readonly tools: ReactNode
  readonly onSave: (format: DownloadFormat) => void
}

/** What is true of a result in every form, and what can be done with it. */
export function ResultBar({ answer, running, formSwitch, tools, onSave }: Props) {
  return (
    <div className="results-bar">
      {formSwitch}
      {answer !== undefined && <ResultFacts answer={answer} />}
      <span className="grow" />
      {running && answer !== undefined && <Loader size="xs" role="status" aria-label="Running" />}
      {answer?.receipt !== undefined && <ReceiptButton receipt={answer.receipt} />}
      {tools}
      {answer !== undefined && <DownloadMenu onSave={onSave} />}
    </div>
  )
}

function ReceiptButton({ receipt }: { readonly receipt: Receipt }) {
  return (
    <Popover position="bottom-end" shadow="md" width={440} withinPortal trapFocus>
      <Popover.Target>
        <Button size="compact-sm" variant="subtle" aria-label="Receipt">
          <IconReceipt size={16} aria-hidden />
          <span className="receipt-word">Receipt</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Suspense fallback={<Loader size="sm" role="status" aria-label="Loading" />}>
          <ReceiptPage receipt={receipt} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}

function DownloadMenu({ onSave }: Pick<Props, 'onSave'>) {
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Tooltip label="Download">
          <ActionIcon variant="subtle" aria-label="Download">
            <IconDownload size={17} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onSave('csv')}>CSV</Menu.Item>
        <Menu.Item onClick={() => onSave('arrow')}>Arrow</Menu.Item>
        <Menu.Item onClick={() => onSave('parquet')}>Parquet</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
