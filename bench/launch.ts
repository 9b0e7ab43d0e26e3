import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Starts a program of this folder, which prints its address and more as one line of JSON. */
export async function launch<Hello = Record<string, string>>(
  file: string,
  ...args: string[]
): Promise<{ child: ChildProcess; hello: Hello }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url)), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    // The service's log goes to the same place; the greeting is the line with an address.
    if (line.includes('"url"')) {
      child.stdout.resume();
      return { child, hello: JSON.parse(line) };
    }
  }
  throw new Error(`${file} ended`);
}
