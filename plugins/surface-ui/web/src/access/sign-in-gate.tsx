import { lazy, Suspense, useSyncExternalStore } from 'react'
import { askedToSignIn, onSignIn } from './sign-in.js'

const SignInForm = lazy(() => import('./sign-in-form.js'))

/** The form, when the server asks who the person is. The page below keeps all that it shows. */
export function SignInGate() {
  const asked = useSyncExternalStore(onSignIn, askedToSignIn)
  return asked === undefined ? null : (
    <Suspense>
      <SignInForm asked={asked} />
    </Suspense>
  )
}
