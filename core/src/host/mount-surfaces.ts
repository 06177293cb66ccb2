import type { FastifyInstance } from 'fastify'
import { fail } from '../errors.js'
import { announceDeprecations } from './deprecation.js'
import { openDoor } from './door/door.js'
import type { HttpSurface } from './points.js'
import { answerErrors, answerFailedAnswers } from './problem.js'
import type { RunningHost } from './running-host.js'

type Mounted = Pick<RunningHost, 'surfaces' | 'settings' | 'authenticate' | 'contextFor' | 'service'>

/** Registers the HTTP surfaces of a host behind one door, each in another scope. */
export function mountSurfaces(
  app: FastifyInstance,
  host: Mounted,
  { prefix = '', standalone = false }: { readonly prefix?: string; readonly standalone?: boolean } = {},
): void {
  const surfaces = [...host.surfaces].filter((surface): surface is HttpSurface => surface.kind === 'http')
  if (surfaces.length === 0) return
  const { settings, authenticate } = host
  const mount = async (scope: FastifyInstance) => {
    announceDeprecations(scope)
    answerErrors(scope)
    const namesAdministrators = () => host.service.publishedModels(undefined).some(({ model }) => model.access !== undefined)
    openDoor(scope, { surfaces, settings, authenticate, standalone, prefix, namesAdministrators })
    // Inside an application without a prefix, an unknown route may belong to the application.
    if (standalone || prefix !== '') scope.setNotFoundHandler(refusedBefore)
    for (const surface of surfaces) scope.register((own) => surface.routes(own, host.contextFor(surface)))
  }
  app.register(
    async (around) => {
      answerFailedAnswers(around)
      around.register(mount)
    },
    { prefix },
  )
}

/** For a scope whose unknown routes belong to the host: they are refused earlier. */
const refusedBefore = () => fail('NOT_FOUND', 'There is no such route')
