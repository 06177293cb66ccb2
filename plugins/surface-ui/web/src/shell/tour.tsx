import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'

interface Props {
  readonly onEnd: () => void
}

const STEPS = [
  {
    marks: 'fields',
    title: 'Choose what to ask',
    text: 'Dimensions split the result into rows, and measures are the numbers. Click a field to add it. A field that does not fit the others is grey; click it to see why.',
  },
  {
    marks: 'question',
    title: 'Run the question',
    text: 'Filters, order and subtotals are here. Nothing runs before you say so: Run, or Ctrl+Enter.',
  },
  {
    marks: 'answer',
    title: 'Look into the answer',
    text: 'Click a number to see the rows that made it. It can be a table, a chart or a pivot. The other tabs show its SQL, a dashboard, and the model behind it. Ctrl+K finds everything.',
  },
] as const

/** Three steps for the first visit. Each can be skipped, and none is shown again. */
export default function Tour({ onEnd }: Props) {
  const [step, setStep] = useState(0)
  const { marks, title, text } = STEPS[step]!
  const isLast = step === STEPS.length - 1
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (step > 0) heading.current?.focus()
  }, [step])
  useEffect(() => {
    const marked = document.querySelector(`[data-tour="${marks}"]`)
    marked?.classList.add('toured')
    return () => marked?.classList.remove('toured')
  }, [marks])
  return (
    <section className="tour" aria-label="Tour">
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <p>{text}</p>
      <div className="tab-bar">
        <span className="quiet">
          {step + 1} of {STEPS.length}
        </span>
        <span className="grow" />
        {!isLast && (
          <Button size="compact-sm" variant="subtle" onClick={onEnd}>
            Skip
          </Button>
        )}
        <Button size="compact-sm" onClick={() => (isLast ? onEnd() : setStep(step + 1))}>
          {isLast ? 'Done' : 'Next'}
        </Button>
      </div>
    </section>
  )
}
