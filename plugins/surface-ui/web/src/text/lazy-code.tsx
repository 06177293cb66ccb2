import { type ComponentProps, lazy, Suspense } from 'react'

const CodeView = lazy(() => import('./code-view.js'))

/** The editor comes when it is first needed; until then the text is there as it is. */
export function LazyCode(props: ComponentProps<typeof CodeView>) {
  return (
    <Suspense fallback={<pre className="code-view plain">{props.text}</pre>}>
      <CodeView {...props} />
    </Suspense>
  )
}
