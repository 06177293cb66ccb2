import { Alert, Button, Group, Modal, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useId, useState } from 'react'
import type { Problem } from '../api/request.js'
import { useFocusBack } from '../shell/use-focus-back.js'
import { credential } from './identity.js'
import { type Provider, readProvider, refusalOfProvider } from './provider.js'
import { ProviderButton } from './provider-button.js'
import { type Asked, endSignIn } from './sign-in.js'
import { type Words, wordsFor } from './sign-in-words.js'
import { authModeOf, trySignIn } from './try-sign-in.js'

/** Asks who the person is: with the identity provider if there is one, else with a key or token, where to get it, and where it stays. */
export default function SignInForm({ asked }: { readonly asked: Asked }) {
  useFocusBack()
  const [ways, setWays] = useState<Ways>()
  const [problem, setProblem] = useState(refusalOfProvider)
  useEffect(() => {
    void waysOf().then((found) => {
      setWays(found)
      setProblem((before) => before ?? found.problem)
    })
  }, [])
  const ended = asked.again || credential() !== undefined
  const words = ways?.words ?? wordsFor(undefined)
  const provider = ways?.provider
  return (
    <Modal
      opened
      onClose={() => endSignIn(false)}
      closeOnClickOutside={false}
      title={ended ? 'Sign in again' : 'Sign in'}
      closeButtonProps={{ 'aria-label': 'Not now' }}
    >
      {ended && (
        <p>
          The server no longer accepts your {words.thing}: {asked.problem.detail}. Your question is kept.
        </p>
      )}
      {problem !== undefined && (
        <Alert color="red" variant="outline" my="md" role="alert" className="problem" title={problem.detail}>
          {problem.hint}
        </Alert>
      )}
      {provider === undefined ? <p>{words.need}</p> : <ProviderButton provider={provider} onProblem={setProblem} />}
      {ways !== undefined && <Enter words={words} isSecond={provider !== undefined} onProblem={setProblem} />}
    </Modal>
  )
}

interface EnterProps {
  readonly words: Words
  /** There is another way, which is the usual one. */
  readonly isSecond: boolean
  readonly onProblem: (problem: Problem | undefined) => void
}

function Enter({ words, isSecond, onProblem }: EnterProps) {
  const stays = useId()
  const [entered, setEntered] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const problem = await trySignIn(entered)
    onProblem(problem?.status === 401 ? { ...problem, hint: words.refused } : problem)
    setBusy(false)
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <TextInput
        type="password"
        label={isSecond ? `Or enter a ${words.thing}` : words.label}
        aria-describedby={stays}
        value={entered}
        onChange={(event) => setEntered(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        {...(!isSecond && { 'data-autofocus': true, autoFocus: true })}
      />
      <p id={stays} className="quiet">
        It stays in this tab until you sign out or close it. Links, files and copied code do not contain it.
      </p>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={() => endSignIn(false)}>
          Not now
        </Button>
        <Button type="submit" variant={isSecond ? 'default' : 'filled'} loading={busy} disabled={entered.trim() === ''}>
          Sign in
        </Button>
      </Group>
    </form>
  )
}

interface Ways {
  readonly words: Words
  readonly provider: Provider | undefined
  readonly problem: Problem | undefined
}

async function waysOf(): Promise<Ways> {
  const [mode, found] = await Promise.all([authModeOf(), readProvider()])
  const isProblem = found !== undefined && 'code' in found
  return {
    words: wordsFor(mode),
    provider: isProblem ? undefined : found,
    problem: isProblem ? found : undefined,
  }
}
