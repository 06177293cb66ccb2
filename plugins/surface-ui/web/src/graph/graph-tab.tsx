import { Button, Loader, SegmentedControl } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { readHealth } from '../api/grainline.js'
import { isAbort, type Problem, problemOfError } from '../api/request.js'
import type { Compiled, ModelRef, Schema } from '../api/types.js'
import { saveAs, saveDrawing, svgText } from '../results/save-drawing.js'
import { nonce } from '../shell/nonce.js'
import { ProblemNotice } from '../shell/problem-notice.js'
import { Drawing } from './drawing.js'
import { type Bounds, drawnOf } from './drawn.js'
import { GraphList } from './graph-list.js'
import { DRAWING_STYLE, TAB_STYLE } from './graph-style.js'
import { type ModelGraph, modelGraph, partOf, type Scope } from './model-graph.js'
import { type JoinGraph, readJoinGraph, readMermaid } from './read-graph.js'
import { useView } from './use-view.js'

interface Props {
  readonly model: ModelRef
  readonly schema: Schema
  readonly compiled: Compiled | undefined
}

interface Joins {
  readonly graph: JoinGraph
  readonly orphans: readonly string[]
}

/** The objects of the model and their joins, with the path of the query. */
export default function GraphTab({ model, schema, compiled }: Props) {
  const [joins, setJoins] = useState<Joins>()
  const [problem, setProblem] = useState<Problem>()
  useEffect(() => {
    const { signal, abort } = abortable()
    Promise.all([readJoinGraph(model, signal), readHealth(model, signal)])
      .then(([graph, health]) => setJoins({ graph, orphans: health.orphan_data_objects }))
      .catch((error: unknown) => isAbort(error) || setProblem(problemOfError(error)))
    return abort
  }, [model])
  const explain = compiled?.explain
  const graph = useMemo(() => joins && modelGraph({ schema, ...joins, explain }), [schema, joins, explain])

  if (problem !== undefined) return <ProblemNotice problem={problem} />
  if (graph === undefined) return <Loader size="sm" m="md" aria-label="Loading" />
  return <Graph {...{ model, graph }} onProblem={setProblem} />
}

function abortable(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

interface GraphProps {
  readonly model: ModelRef
  readonly graph: ModelGraph
  readonly onProblem: (problem: Problem) => void
}

/** With more objects, only the relevant part is shown at first. */
const WHOLE_AT_MOST = 60

function Graph({ model, graph, onProblem }: GraphProps) {
  const [scope, setScope] = useState<Scope>(() => scopeFor(graph))
  const [chosen, setChosen] = useState<string>()
  const [focused, setFocused] = useState<string>()
  const svg = useRef<SVGSVGElement>(null)
  const { ref: canvas, width, height } = useElementSize()
  const around = scope === 'near' ? chosen : undefined
  const drawn = useMemo(() => drawnOf(partOf(graph, scope, around)), [graph, scope, around])
  const { places, bounds } = drawn
  const begin = chosen ?? drawn.graph.objects.find(({ isLit }) => isLit)?.name ?? drawn.graph.objects[0]?.name ?? ''
  const { view, zoom, fit, reveal, pull } = useView(svg, { bounds, size: { width, height }, start: places.get(begin) })
  const active = focused !== undefined && places.has(focused) ? focused : begin

  const choose = useCallback(
    (name: string | undefined) => {
      setChosen(name)
      const place = name === undefined ? undefined : places.get(name)
      if (place) reveal(place)
      else if (name !== undefined) setScope('near')
    },
    [places, reveal],
  )
  const onActive = useCallback(
    (name: string) => {
      setFocused(name)
      const place = places.get(name)
      if (place) reveal(place)
    },
    [places, reveal],
  )
  const save = (format: 'svg' | 'png') =>
    void saveDrawing(svg.current ? wholeOf(svg.current, bounds) : undefined, { name: `${model.name}-joins`, format })
  const saveMermaid = () => {
    readMermaid(model)
      .then((text) => saveAs(new Blob([text], { type: 'text/plain' }), `${model.name}-joins.mmd`))
      .catch((error: unknown) => onProblem(problemOfError(error)))
  }

  return (
    <div className="tab-body">
      <style nonce={nonce()}>{TAB_STYLE}</style>
      <div className="tab-bar">
        <ScopeControl scope={scope} onScope={setScope} />
        <span className="grow" />
        <Button size="compact-sm" variant="subtle" onClick={() => save('svg')}>
          SVG
        </Button>
        <Button size="compact-sm" variant="subtle" onClick={() => save('png')}>
          PNG
        </Button>
        <Button size="compact-sm" variant="subtle" onClick={saveMermaid} title="All objects and joins">
          Mermaid
        </Button>
      </div>
      <div className="graph-columns">
        <div ref={canvas} className="graph-canvas">
          {places.size === 0 && <p className="nothing">The question reads nothing yet. Choose fields, or show all objects.</p>}
          <svg ref={svg} role="group" aria-label={`Joins of ${model.name}`} {...pull}>
            <style nonce={nonce()}>{DRAWING_STYLE}</style>
            <g transform={`translate(${view.x} ${view.y}) scale(${view.scale})`}>
              <Drawing {...{ drawn, chosen, active, onActive }} onChoose={choose} />
            </g>
          </svg>
          <ZoomButtons zoom={zoom} fit={fit} />
        </div>
        <GraphList {...{ graph, chosen }} onChoose={choose} />
      </div>
    </div>
  )
}

function ScopeControl({ scope, onScope }: { readonly scope: Scope; readonly onScope: (scope: Scope) => void }) {
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label="What is drawn"
        data={[
          { value: 'all', label: 'All' },
          { value: 'question', label: 'This question' },
          { value: 'near', label: 'Neighbours' },
        ]}
        value={scope}
        onChange={(value) => onScope(value as Scope)}
      />
      <span className="quiet">Thick lines: used by this query. Dashed lines: joins that a query chooses by name.</span>
    </>
  )
}

function ZoomButtons({ zoom, fit }: Pick<ReturnType<typeof useView>, 'zoom' | 'fit'>) {
  return (
    <div className="graph-zoom">
      <Button size="compact-sm" variant="default" aria-label="Smaller" onClick={() => zoom(1 / 1.3)}>
        −
      </Button>
      <Button size="compact-sm" variant="default" aria-label="Larger" onClick={() => zoom(1.3)}>
        +
      </Button>
      <Button size="compact-sm" variant="default" onClick={fit}>
        Fit
      </Button>
    </div>
  )
}

function scopeFor({ objects }: ModelGraph): Scope {
  if (objects.length <= WHOLE_AT_MOST) return 'all'
  return objects.some(({ isLit }) => isLit) ? 'question' : 'near'
}

/** Everything that is drawn, visible or not. */
function wholeOf(svg: SVGSVGElement, { x, y, width, height }: Bounds) {
  const copy = svg.cloneNode(true) as SVGSVGElement
  copy.setAttribute('viewBox', `${x} ${y} ${width} ${height}`)
  copy.setAttribute('width', `${width}`)
  copy.setAttribute('height', `${height}`)
  copy.querySelector('g')?.removeAttribute('transform')
  copy.querySelector('style')?.removeAttribute('nonce')
  for (const node of copy.querySelectorAll('[role=button]'))
    for (const name of ['role', 'tabindex', 'aria-pressed']) node.removeAttribute(name)
  return svgText(copy, { width, height })
}
