import { ActionIcon, Button, Menu, Select, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import {
  IconBulb,
  IconCommand,
  IconFolderOpen,
  IconHistory,
  IconLayoutSidebar,
  IconLink,
  IconMoon,
  IconSun,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { credential } from '../access/identity.js'
import { Person } from '../access/person.js'
import type { ModelRef, Who } from '../api/types.js'
import type { Query } from '../query/query.js'
import { titleOf } from '../query/title-of.js'
import type { Asked } from '../state/kept.js'
import { keyOf } from '../state/use-models.js'
import type { Start } from '../state/use-starts.js'
import { CopyAction } from './copy-action.js'

interface Props {
  readonly models: readonly ModelRef[]
  readonly model: ModelRef | undefined
  readonly curated: boolean
  readonly history: readonly Asked[]
  readonly starts: readonly Start[]
  readonly who: Who | undefined
  /** Further buttons. */
  readonly children?: ReactNode
  readonly onModel: (model: ModelRef) => void
  readonly onQuery: (query: Query) => void
  readonly onOpenModel: () => void
  readonly onCommands: () => void
  readonly onFields: () => void
}

/** The bar at the top: the model, the history, the commands, and the colours of the page. */
export function Header(props: Props) {
  const { models, model, curated, history, starts, who, children, onModel, onQuery, onOpenModel, onCommands, onFields } = props
  return (
    <nav className="header" aria-label="Page">
      <ActionIcon className="only-narrow" variant="subtle" aria-label="Fields" onClick={onFields}>
        <IconLayoutSidebar size={20} aria-hidden />
      </ActionIcon>
      <h1 className="brand">
        <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
          <rect width="32" height="32" rx="7" />
          <path d="M7 23h18M7 16h12M7 9h6" />
        </svg>
        <span>Grainline</span>
      </h1>
      <Select
        className="model-picker"
        size="sm"
        aria-label="Model"
        allowDeselect={false}
        searchable={models.length > 8}
        placeholder="No model"
        data={models.map((each) => ({ value: keyOf(each), label: each.own ? `${each.name} (this tab)` : each.name }))}
        value={model === undefined ? null : keyOf(model)}
        onChange={(key) => {
          const chosen = models.find((each) => keyOf(each) === key)
          if (chosen) onModel(chosen)
        }}
      />
      {!curated && (
        <Tooltip label="Open a model of your own">
          <ActionIcon className="only-wide" variant="subtle" size="lg" aria-label="Open a model" onClick={onOpenModel}>
            <IconFolderOpen size={19} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      <span className="grow" />
      {starts.length > 0 && <Examples starts={starts} onQuery={onQuery} />}
      {children}
      <Past history={history.filter((each) => model !== undefined && each.model === keyOf(model))} onQuery={onQuery} />
      <Tooltip label="Commands (Ctrl+K)">
        <ActionIcon variant="subtle" size="lg" aria-label="Commands" aria-keyshortcuts="Control+K Meta+K" onClick={onCommands}>
          <IconCommand size={19} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <ShareLink />
      <Scheme />
      {who !== undefined && (credential() ?? who.name) !== undefined && <Person who={who} />}
    </nav>
  )
}

function Examples({ starts, onQuery }: { readonly starts: readonly Start[]; readonly onQuery: (query: Query) => void }) {
  return (
    <Menu position="bottom-end" shadow="md" width={340}>
      <Menu.Target>
        <Button variant="subtle" size="compact-sm" leftSection={<IconBulb size={17} aria-hidden />} aria-label="Examples">
          <span className="only-wide">Examples</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown className="long-menu">
        {starts.map(({ title, description, load }) => (
          <Menu.Item key={title} onClick={() => void load().then(onQuery)}>
            <span className="two-lines">
              <strong>{title}</strong>
              {description !== null && <span className="quiet">{description}</span>}
            </span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function Past({ history, onQuery }: { readonly history: readonly Asked[]; readonly onQuery: (query: Query) => void }) {
  return (
    <Menu position="bottom-end" shadow="md" width={340}>
      <Menu.Target>
        <Tooltip label="What you asked before">
          <ActionIcon variant="subtle" size="lg" aria-label="History">
            <IconHistory size={19} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown className="long-menu">
        {history.length === 0 && <Menu.Label>Questions that you run are listed here.</Menu.Label>}
        {history.map(({ query, at, rows }) => (
          <Menu.Item key={at} onClick={() => onQuery(query)}>
            <span className="two-lines">
              <strong>{titleOf(query)}</strong>
              <span className="quiet">
                {new Date(at).toLocaleString()}, {rows.toLocaleString()} {rows === 1 ? 'row' : 'rows'}
              </span>
            </span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The address contains the query, so sharing means copying it. On a phone this is one of the commands. */
function ShareLink() {
  return (
    <CopyAction
      className="only-wide"
      size="lg"
      label="Copy link"
      hint="Copy a link to this question"
      text={() => location.href}
      icon={<IconLink size={19} aria-hidden />}
    />
  )
}

function Scheme() {
  const { setColorScheme } = useMantineColorScheme()
  const dark = useComputedColorScheme('light') === 'dark'
  return (
    <Tooltip label={dark ? 'Light' : 'Dark'}>
      <ActionIcon
        variant="subtle"
        size="lg"
        aria-label={dark ? 'Light colours' : 'Dark colours'}
        onClick={() => setColorScheme(dark ? 'light' : 'dark')}
      >
        {dark ? <IconSun size={19} aria-hidden /> : <IconMoon size={19} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  )
}
