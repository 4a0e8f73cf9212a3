import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'

export interface Guard {
  /** Names the process to stop at the end, or none. */
  watch(pid: number | undefined): void
  /** Stops the watched process and removes the folder. */
  release(): Promise<void>
}

/**
 * A shell that outlives this process, however it ends: when its standard input closes, it stops the process and removes
 * the folder (unmounting it first, where something is mounted there).
 */
export function startGuard(folder = ''): Guard {
  const script = `
    while read -r line; do pid=$line; done
    if [ -n "$pid" ]; then
      kill -QUIT "$pid"
      for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" && sleep 0.5 || break; done
      kill -KILL "$pid"
    fi
    [ -n "$1" ] || exit 0
    if mountpoint -q "$1"; then umount -l "$1"; fi
    rm -rf "$1"`
  // Detached: the terminal's Ctrl-C does not reach it.
  const shell = spawn('/bin/sh', ['-c', script, 'guard', folder], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  const exited = new Promise((resolve) => shell.once('exit', resolve))
  shell.unref()
  ;(shell.stdin as Socket).unref()
  return {
    watch: (pid) => void (shell.stdin.writable && shell.stdin.write(`${pid ?? ''}\n`)),
    release: async () => {
      shell.ref()
      shell.stdin.end()
      await exited
    },
  }
}
