import { spawn } from 'node:child_process'

/** Runs a command of npm. Resolves to its exit code and everything that it wrote. */
export function runCommand(
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<{ readonly code: number; readonly text: string }> {
  return new Promise((resolve) => {
    // On Windows npm is a script, which only a shell starts.
    const child = spawn(command, [...args], { cwd, shell: process.platform === 'win32', stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
    child.stderr.setEncoding('utf8').on('data', (part: string) => (text += part))
    child.on('error', (error) => resolve({ code: 1, text: error.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, text }))
  })
}
