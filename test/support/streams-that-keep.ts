/** Streams that store what a command writes to them. */
export function streamsThatKeep() {
  const [out, err]: Buffer[][] = [[], []]
  const into = (pieces: Buffer[]) => ({
    write: (piece: string | Uint8Array) => void pieces.push(Buffer.from(piece as string)),
  })
  const written = () => {
    const bytes = Buffer.concat(out!)
    return { bytes, out: bytes.toString('utf8'), err: Buffer.concat(err!).toString('utf8') }
  }
  return { stdout: into(out!), stderr: into(err!), written }
}
