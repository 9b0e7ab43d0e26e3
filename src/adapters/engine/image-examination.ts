import { ImagePullError } from '../../ports/container-engine.ts';
import { type ImagePart, type ImageProblem, imageParts } from '../../values/image-problems.ts';

/** Bytes of the compressed layers of an image. A larger one could fill the disk of all containers. */
export const maxImageBytes = 10 * 1024 ** 3;
/** Milliseconds that a pull may take. */
export const pullPatience = 1_800_000;

/**
 * Names what is missing, a word a line, then `end`. The programs are run, since one for another processor or without its libraries is there
 * as well. Everything else is a program of the grader's volume.
 */
export const examination = `
export PATH=/.grader/bin
shopt -s extglob
/bin/bash -c : >/dev/null 2>&1 </dev/null || echo bash
/usr/sbin/sshd -V >/dev/null 2>&1 </dev/null; (( $? < 126 )) || echo sshd
account() {
  local name uid home shell
  [[ -f /etc/passwd ]] || return 1
  while IFS=: read -r name _ uid _ _ home shell; do
    [[ $name == "$1" && $uid == "$2" && $shell == $3 ]] && [[ -d $home ]] && return 0
  done </etc/passwd
  return 1
}
account student 1000 '/*' || echo student
account grader 0 /.grader/bin/bash || echo grader
echo end`;

/**
 * @param output of the examination
 * @param command the image's own
 * @throws ImagePullError if the examination has not come to its end
 */
export function lacksOf(output: string, command: readonly string[]): ImagePart[] {
  const lines = new Set([...output.split('\n'), ...(command.length === 0 ? ['command'] : [])]);
  if (!lines.has('end')) throw new ImagePullError('pull_failed');
  return imageParts.filter((part) => lines.has(part));
}

/** An engine tells in words only why a pull failed. */
export function problemOfPull(words: string): ImageProblem {
  if (/unauthorized|authentication required|access denied|denied|no basic auth|forbidden/i.test(words))
    return 'registry_denied';
  if (/manifest unknown|not found|name unknown|invalid reference/i.test(words)) return 'reference_unknown';
  if (
    /dial tcp|no such host|i\/o timeout|connection (refused|reset)|EOF|TLS|x509|request canceled|certificate/i.test(
      words,
    )
  )
    return 'registry_unreachable';
  return 'pull_failed';
}
