import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { countsInWords, type GraphJoin, type GraphObject, KIND_NAMES, type ModelGraph } from './model-graph.js'

interface Props {
  readonly graph: ModelGraph
  readonly chosen: string | undefined
  readonly onChoose: (name: string | undefined) => void
}

/** The same graph as text, in which an object can be found by its name. */
export function GraphList({ graph, chosen, onChoose }: Props) {
  const [search, setSearch] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = graph.objects.filter(({ name, table }) => words.every((word) => `${name} ${table}`.toLowerCase().includes(word)))
  const lit = graph.objects.filter(({ isLit }) => isLit).length
  useEffect(() => {
    if (chosen !== undefined) list.current?.querySelector('[data-chosen]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <div className="graph-side">
      <TextInput
        size="xs"
        aria-label="Find an object"
        placeholder="Find an object"
        leftSection={<IconSearch size={14} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && found[0] && onChoose(found[0].name)}
      />
      <p className="quiet" role="status">
        {search === ''
          ? `${counted(graph.objects.length, 'object')}, ${counted(graph.joins.length, 'join')}, ${lit} in this question`
          : `${counted(found.length, 'object')} found`}
      </p>
      <ul className="graph-list" aria-label="Objects and joins" ref={list}>
        {found.map((object) => (
          <Entry key={object.name} {...{ object, graph, onChoose }} isChosen={object.name === chosen} />
        ))}
      </ul>
    </div>
  )
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

interface EntryProps extends Pick<Props, 'graph' | 'onChoose'> {
  readonly object: GraphObject
  readonly isChosen: boolean
}

function Entry({ object, graph, isChosen, onChoose }: EntryProps) {
  const { name, kind, description, isLit } = object
  const leaving = graph.joins.filter(({ from }) => from === name)
  const arriving = isChosen ? graph.joins.filter(({ to, from }) => to === name && from !== name) : []
  return (
    <li data-chosen={isChosen || undefined}>
      <button type="button" className="of-object" aria-pressed={isChosen} onClick={() => onChoose(isChosen ? undefined : name)}>
        {name}
      </button>{' '}
      <span className="quiet">
        <span className={kind}>{KIND_NAMES[kind]}</span> · {countsInWords(object)}
      </span>{' '}
      {isLit && <span className="status lit">in this question</span>}
      {isChosen && description !== undefined && <p>{description}</p>}
      {leaving.length + arriving.length > 0 && (
        <ul>
          {leaving.map((join) => (
            <Leads key={join.id} {...{ join, onChoose }} other={join.to} way="to" />
          ))}
          {arriving.map((join) => (
            <Leads key={join.id} {...{ join, onChoose }} other={join.from} way="from" />
          ))}
        </ul>
      )}
    </li>
  )
}

interface LeadsProps extends Pick<Props, 'onChoose'> {
  readonly join: GraphJoin
  readonly other: string
  readonly way: 'to' | 'from'
}

function Leads({ join, other, way, onChoose }: LeadsProps) {
  const { cardinality, columns, pathName, isSecondary, isLit } = join
  return (
    <li>
      <span className={isLit ? 'lit' : 'quiet'}>
        {cardinality} {way}
      </span>{' '}
      <button type="button" onClick={() => onChoose(other)}>
        {other}
      </button>{' '}
      <code>{columns}</code>
      {pathName !== undefined && <span className="quiet"> path {pathName}</span>}
      {isSecondary && <span className="quiet"> secondary</span>}
    </li>
  )
}
