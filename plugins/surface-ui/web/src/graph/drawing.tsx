import { type KeyboardEvent, memo } from 'react'
import { type Direction, type Drawn, linesOf, nextIn, shortened } from './drawn.js'
import type { Place } from './layers.js'
import { endsOf, type GraphJoin, type GraphObject, neighbours } from './model-graph.js'
import type { Port, Route } from './routes.js'

interface Props {
  readonly drawn: Drawn
  readonly chosen: string | undefined
  /** The object that Tab reaches. */
  readonly active: string | undefined
  readonly onChoose: (name: string | undefined) => void
  readonly onActive: (name: string) => void
}

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

/** Objects are drawn above joins. The drawing is rendered again if the graph changes, but not if it moves. */
export const Drawing = memo(function Drawing({ drawn, chosen, active, onChoose, onActive }: Props) {
  const { graph, places, routes, isCompact } = drawn
  const isThere = chosen !== undefined && places.has(chosen)
  const near = isThere ? neighbours(graph, chosen) : undefined
  const onKey = (name: string) => (event: KeyboardEvent<SVGGElement>) => {
    const direction = DIRECTIONS[event.key]
    const next = direction && nextIn(places, name, direction)
    if (direction === undefined && event.key !== 'Enter' && event.key !== ' ' && event.key !== 'Escape') return
    event.preventDefault()
    if (event.key === 'Escape') return onChoose(undefined)
    if (direction === undefined) return onChoose(chosen === name ? undefined : name)
    if (next !== undefined) focusOn(event.currentTarget.ownerSVGElement, next)
  }
  return (
    <>
      {graph.joins.map((join) => {
        const route = routes.get(join.id)
        return route && <Join key={join.id} {...{ join, route }} isFar={isThere && join.from !== chosen && join.to !== chosen} />
      })}
      {graph.objects.map((object) => (
        <g
          key={object.name}
          className={classes(
            'node',
            object.kind,
            object.isLit && 'lit',
            object.name === chosen && 'chosen',
            near && !near.has(object.name) && 'far',
          )}
          transform={`translate(${places.get(object.name)!.x} ${places.get(object.name)!.y})`}
          role="button"
          aria-label={inWords(object)}
          aria-pressed={object.name === chosen}
          tabIndex={object.name === active ? 0 : -1}
          data-object={object.name}
          onClick={() => onChoose(object.name === chosen ? undefined : object.name)}
          onFocus={() => onActive(object.name)}
          onKeyDown={onKey(object.name)}
        >
          <Box object={object} place={places.get(object.name)!} isCompact={isCompact} />
        </g>
      ))}
    </>
  )
})

function focusOn(svg: SVGSVGElement | null, name: string): void {
  const found = [...(svg?.querySelectorAll<SVGGElement>('[data-object]') ?? [])].find(({ dataset }) => dataset['object'] === name)
  found?.focus({ preventScroll: true })
}

const classes = (...names: readonly (string | false | undefined)[]): string => names.filter(Boolean).join(' ')

function inWords(object: GraphObject): string {
  const { name, about, counts } = linesOf(object)
  return [name, about, counts, ...(object.isLit ? ['in this question'] : [])].join(' ')
}

interface BoxProps {
  readonly object: GraphObject
  readonly place: Place
  readonly isCompact: boolean
}

function Box({ object, place: { width, height }, isCompact }: BoxProps) {
  const middle = height / 2
  const { name, about, counts } = linesOf(object)
  return (
    <>
      {name !== object.name && <title>{object.name}</title>}
      <rect width={width} height={height} rx={8} />
      {/* Each ends with a space, so that programs read them as separate words. */}
      <text className="name" x={12} y={isCompact ? middle + 4.5 : middle - 10}>
        {`${name} `}
      </text>
      {!isCompact && (
        <>
          <text className="about" x={12} y={middle + 6}>
            {`${about} `}
          </text>
          <text x={12} y={middle + 21}>
            {`${counts} `}
          </text>
        </>
      )}
    </>
  )
}

interface JoinProps {
  readonly join: GraphJoin
  readonly route: Route
  readonly isFar: boolean
}

function Join({ join, route: { path, start, end, middle }, isFar }: JoinProps) {
  const [from, to] = endsOf(join.cardinality)
  const said = `${join.from} to ${join.to}, ${join.cardinality}: ${join.columns}`
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a group of a drawing is no control.
    <g
      className={classes('join', join.isLit && 'lit', join.isSecondary && 'secondary', isFar && 'far')}
      role="img"
      aria-label={join.isLit ? `${said}, in this question` : said}
    >
      <title>{said}</title>
      <path d={path} />
      <Mark port={start} text={from} />
      <Mark port={end} text={to} />
      {join.pathName !== undefined && (
        <text x={middle.x} y={middle.y + 4} textAnchor="middle">
          {shortened(join.pathName)}
        </text>
      )}
    </g>
  )
}

const Mark = ({ port: { x, y, side }, text }: { readonly port: Port; readonly text: string }) => (
  <text x={x + 10 * side} y={y + 4} textAnchor="middle">
    {text}
  </text>
)
