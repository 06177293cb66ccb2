import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { ModelRef } from '../api/types.js'
import type { Query } from '../query/query.js'
import { CopyAction } from '../shell/copy-action.js'
import { CODE_KINDS, type CodeKind, codeFor } from './code-for.js'

interface Props {
  readonly model: ModelRef
  readonly query: Query
  readonly needsKey: boolean
  readonly sql: string | undefined
}

/** The question as a program that asks it. */
export default function CodeExamples({ model, query, needsKey, sql }: Props) {
  const [kind, setKind] = useState<CodeKind>('curl')
  const address = new URL('..', document.baseURI).href.replace(/\/$/, '')
  const text = codeFor(kind, { address, session: model.session, model: model.model, query, needsKey, sql })
  return (
    <div className="tab-body">
      <div className="tab-bar">
        <SegmentedControl
          size="xs"
          aria-label="Kind of code"
          data={[...CODE_KINDS]}
          value={kind}
          onChange={(chosen) => setKind(chosen as CodeKind)}
        />
        <CopyAction label={`Copy as ${kind}`} hint="Copy" text={() => text} />
        <span className="quiet">{kind === 'SQL' ? 'For the database of the model.' : `It asks the API at ${address}.`}</span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard. */}
      <section className="frame code-view plain" aria-label={`The question as ${kind}`} tabIndex={0}>
        {text}
      </section>
    </div>
  )
}
