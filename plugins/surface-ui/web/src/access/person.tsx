import { Button, Menu } from '@mantine/core'
import { IconUser } from '@tabler/icons-react'
import type { Who } from '../api/types.js'
import { credential } from './identity.js'
import { signOut } from './sign-out.js'

/** Who asks, and the way out. Whom an application or the server of the page has signed in cannot sign out here. */
export function Person({ who }: { readonly who: Who }) {
  const { id, name = id, roles } = who
  return (
    <Menu position="bottom-end" shadow="md" width={260}>
      <Menu.Target>
        <Button
          className="person"
          variant="subtle"
          size="compact-sm"
          leftSection={<IconUser size={18} aria-hidden />}
          aria-label={`Signed in as ${name}`}
        >
          <span className="only-wide">{name}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label c="var(--text)">
          <span className="two-lines">
            <strong>{name}</strong>
            {roles.length > 0 && <span>Roles: {roles.join(', ')}</span>}
            {credential() === undefined && <span>Signed in by this site</span>}
          </span>
        </Menu.Label>
        {credential() !== undefined && <Menu.Item onClick={() => void signOut()}>Sign out</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  )
}
