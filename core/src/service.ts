/** The protocol-free service. Surfaces call it and translate; nothing here knows of HTTP, sockets or environment variables. */
export interface SemanticService {
  close(): Promise<void>
}
