import type { Metadata } from '@grpc/grpc-js'

/** Cookies of the server: the options of a session, or the target of a load balancer. */
export class Cookies {
  readonly #values = new Map<string, string>()

  /** Stores the cookies of an answer. */
  readonly keep = (answered: Metadata): void => {
    for (const line of answered.get('set-cookie')) {
      const [pair = '', ...attributes] = String(line).split(';')
      const [name = '', ...value] = pair.split('=')
      const isOver = attributes.some((attribute) => /^\s*max-age\s*=\s*0\s*$/i.test(attribute))
      if (isOver) this.#values.delete(name.trim())
      else this.#values.set(name.trim(), value.join('=').trim())
    }
  }

  addedTo(metadata: Metadata): Metadata {
    if (this.#values.size === 0) return metadata
    const together = metadata.clone()
    together.set('cookie', [...this.#values].map(([name, value]) => `${name}=${value}`).join('; '))
    return together
  }
}
