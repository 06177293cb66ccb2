import { type Static, Type } from '@grainline/core'

const claim = (description: string) =>
  Type.Optional(
    Type.Union([Type.String({ minLength: 1 }), Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })], {
      description: `${description} A list is a way into nested claims.`,
    }),
  )

/** Signatures that only the issuer can make. Those with a shared secret are not among them, because whoever checks one can also make one. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'] as const

export const jwtOptions = Type.Object(
  {
    issuer: Type.String({ minLength: 1, description: 'Who issues the tokens: their `iss`, exactly.' }),
    audience: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      description: 'For whom they are issued: their `aud` has one of these.',
    }),
    resource: Type.Optional(
      Type.String({
        pattern: '^https?://[^#]+$',
        description:
          'The address of MCP on this server, as its clients write it. They request tokens for it, so it is an audience, too. By default the address that they use.',
      }),
    ),
    keys: Type.String({
      minLength: 1,
      description: 'Where the public keys of the issuer are (a JWKS): the URL, or the path of a file.',
    }),
    signIn: Type.Optional(
      Type.Object(
        {
          client: Type.String({ minLength: 1, description: 'The id under which the issuer knows the page, a public client.' }),
          scopes: Type.Array(Type.String({ pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$' }), {
            minItems: 1,
            default: ['openid'],
            description: 'What the page requests, so that its tokens are for this server.',
          }),
          refresh: Type.Boolean({
            default: true,
            description: 'Whether a session goes on with a refresh token, if the issuer gives one.',
          }),
          logout: Type.Boolean({
            default: true,
            description: 'Whether signing out of the page ends the login at the issuer, too, if the issuer can do that.',
          }),
        },
        {
          additionalProperties: false,
          description:
            'How people sign in on the web page: with the code flow of OpenID Connect and PKCE. Without it they enter a token.',
        },
      ),
    ),
    algorithms: Type.Array(Type.String({ enum: [...ALGORITHMS] }), {
      minItems: 1,
      default: ['RS256'],
      description: 'The algorithms of signatures that are accepted.',
    }),
    leewaySeconds: Type.Integer({
      minimum: 0,
      maximum: 300,
      default: 0,
      description: 'How much the clocks of the issuer and of this server may differ.',
    }),
    name: claim('The claim with the name of the principal (`sub`).'),
    roles: claim('The claim with its roles, a text or a list of texts. Without it nobody has roles.'),
    models: claim('The claim with the published models that it may use. Without it these are all.'),
    attributes: Type.Record(Type.String({ minLength: 1 }), Type.Union([Type.String(), Type.Array(Type.String())]), {
      default: {},
      description: 'By the names of attributes: the claims with their values.',
    }),
  },
  { additionalProperties: false },
)

export type JwtOptions = Static<typeof jwtOptions>
