/**
 * `npm run audit`: asks the registry for known vulnerabilities of the production dependencies (`-- --all`: and of the development tools).
 * Exits with 1 if any of them are serious. Not every registry supports this: then it reports that and exits with 0.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';

type Audit = {
  message?: string;
  error?: { summary?: string };
  vulnerabilities?: Record<string, { severity: string; range: string }>;
};

const args = ['audit', '--json', ...(process.argv.includes('--all') ? [] : ['--omit=dev'])];
const output = await new Promise<string>((resolve) => {
  execFile('npm', args, { cwd: join(import.meta.dirname, '..'), maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) =>
    resolve(stdout),
  );
});
process.exitCode = judge(parse(output));

function judge(audit: Audit): number {
  if (!audit.vulnerabilities) {
    const why = audit.error?.summary || audit.message || 'it gave no answer';
    process.stdout.write(`Nothing was checked: the registry does not tell of vulnerabilities (${why})\n`);
    return 0;
  }
  const found = Object.entries(audit.vulnerabilities);
  for (const [name, { severity, range }] of found) process.stdout.write(`${severity.padEnd(9)} ${name} ${range}\n`);
  const serious = found.filter(([, { severity }]) => severity === 'high' || severity === 'critical');
  process.stdout.write(`${found.length} vulnerable packages, ${serious.length} of them seriously\n`);
  return serious.length > 0 ? 1 : 0;
}

function parse(text: string): Audit {
  try {
    return JSON.parse(text) as Audit;
  } catch {
    return {};
  }
}
