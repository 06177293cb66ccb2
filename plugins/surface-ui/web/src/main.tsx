import { createTheme, MantineProvider } from '@mantine/core'
import { setNonce } from 'get-nonce'
import { createRoot } from 'react-dom/client'
import { SignInGate } from './access/sign-in-gate.js'
import { App } from './app.js'
import { nonce } from './shell/nonce.js'
import './shell/mantine.css'
import './shell/page.css'

// The library that prevents scrolling below a dialog needs the nonce.
setNonce(nonce())

const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: 8,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  defaultRadius: 'md',
  cursorType: 'pointer',
  // The page has its own greys.
  colors: {
    dark: ['#e4e8ef', '#c3cad6', '#a3adbd', '#7f8a9c', '#434c5c', '#303744', '#20252f', '#1b1f27', '#14171d', '#0f1217'],
  },
  // Menus are inside a landmark, so that screen readers announce their position.
  components: {
    Portal: { defaultProps: { target: '#floating' } },
    // Otherwise a menu contains an element that is not an entry.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
  },
})

const start = () =>
  createRoot(document.getElementById('root')!).render(
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={nonce}>
      <App />
      <SignInGate />
    </MantineProvider>,
  )

// An identity provider sends people back to the page with an answer in its address.
const answer = new URLSearchParams(location.search)
if (answer.has('state') && (answer.has('code') || answer.has('error')))
  void import('./access/provider.js').then(({ returnFromProvider }) => returnFromProvider(answer)).finally(start)
else start()
