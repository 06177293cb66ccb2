/** What a person has to enter, in plain words. */
export interface Words {
  readonly thing: string
  readonly label: string
  /** What is needed, and where to get it. */
  readonly need: string
  /** What to do if the server does not accept it. */
  readonly refused: string
}

const COPY = 'Check that you copied all of it.'

/** The words for an `AUTH_MODE` of the server. A plugin may add other modes. */
export function wordsFor(mode: string | undefined): Words {
  if (mode === 'api_key') {
    return {
      thing: 'key',
      label: 'Key',
      need: 'This server answers people who have a key. Ask the person who runs it for yours.',
      refused: `${COPY} If it is not accepted then, ask the person who runs this server whether your key is still valid.`,
    }
  }
  if (mode === 'jwt') {
    return {
      thing: 'token',
      label: 'Token',
      need: 'This server answers people who have a token (JWT) from the login of your organization. Ask the person who runs it where you get yours.',
      refused: `${COPY} Tokens are valid for a short time only: get a new one if yours is old.`,
    }
  }
  return {
    thing: 'key or token',
    label: 'Key or token',
    need: 'This server answers people who have a key or token. Ask the person who runs it for yours.',
    refused: `${COPY} If it is not accepted then, ask the person who runs this server.`,
  }
}
