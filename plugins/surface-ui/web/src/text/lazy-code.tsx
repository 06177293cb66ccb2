import { type ComponentProps, lazy, Suspense } from 'react'

const CodeView = lazy(() => import('./code-view.js'))

/** The editor is loaded at first use; until then the text is shown plain. */
export function LazyCode(props: ComponentProps<typeof CodeView>) {
  return (
    <Suspense fallback={<pre className="code-view plain">{props.text}</pre>}>
      <CodeView {...props} />
    </Suspense>
  )
}
