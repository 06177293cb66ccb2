import { Alert, Button, Group } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { Problem } from '../api/request.js'

interface Props {
  readonly problem: Problem
  readonly retry?: () => void
}

/** An error of the API: what happened, where, and what to do. */
export function ProblemNotice({ problem, retry }: Props) {
  const { detail, hint, suggestions = [], errors = [], code } = problem
  const more = errors.filter(({ message }) => message !== detail).slice(0, 10)
  return (
    <Alert color="red" variant="outline" icon={<IconAlertTriangle size={18} />} title={detail} className="problem" role="alert">
      {hint !== undefined && <p>{hint}</p>}
      {suggestions.length > 0 && <p>Similar names: {suggestions.slice(0, 5).join(', ')}</p>}
      {more.length > 0 && (
        <ul>
          {more.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {message} {path !== '' && <code>{path}</code>}
            </li>
          ))}
        </ul>
      )}
      <Group gap="sm">
        <code className="quiet">{code}</code>
        {retry && (
          <Button size="compact-sm" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  )
}
