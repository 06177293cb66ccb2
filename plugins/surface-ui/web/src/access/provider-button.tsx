import { Button } from '@mantine/core'
import { useState } from 'react'
import { type Problem, problemOfError } from '../api/request.js'
import { leaveFor, type Provider } from './provider.js'

interface Props {
  readonly provider: Provider
  readonly onProblem: (problem: Problem) => void
}

/** The way to the provider. Browsers compute the proof of PKCE on pages over HTTPS only, and on those of their own machine. */
export function ProviderButton({ provider, onProblem }: Props) {
  const [leaving, setLeaving] = useState(false)
  const { host } = new URL(provider.authorize)
  if (!isSecureContext) return <p>To sign in with {host}, open this page over HTTPS.</p>
  return (
    <Button
      fullWidth
      my="md"
      loading={leaving}
      data-autofocus
      autoFocus
      onClick={() => {
        setLeaving(true)
        leaveFor(provider).catch((error: unknown) => {
          setLeaving(false)
          onProblem(problemOfError(error))
        })
      }}
    >
      Sign in with {host}
    </Button>
  )
}
