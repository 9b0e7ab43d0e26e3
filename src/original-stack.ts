import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

const maps = new Map<string, SourceMap | undefined>();

/** A stack trace with the positions in the sources, where the service runs from its bundle. Maps are read at the first error. */
export function originalStack(stack: string): string {
  return stack.replace(
    /(file:\/\/[^\s()]+\/\.cache\/service\/[\w.-]+\.mjs):(\d+):(\d+)/g,
    (whole, url, line, column) => {
      const entry = mapOf(url)?.findEntry(Number(line) - 1, Number(column) - 1);
      if (!entry || !('originalSource' in entry)) return whole;
      return `${new URL(entry.originalSource, url).href}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    },
  );
}

function mapOf(url: string): SourceMap | undefined {
  if (!maps.has(url)) maps.set(url, readMap(`${fileURLToPath(url)}.map`));
  return maps.get(url);
}

function readMap(path: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Another start has replaced the bundle. The positions in it are better than none.
    return undefined;
  }
}
