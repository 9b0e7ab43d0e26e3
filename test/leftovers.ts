/**
 * Loaded into the process of each test file. It prints the log of the services where a test fails. A test that does not end, and a process
 * that stays alive after its tests, are reported with what they may wait for, and the process ends as failed: a run waits for nothing forever.
 */
import { readFileSync } from 'node:fs';
import { after, afterEach, beforeEach, type TestContext } from 'node:test';
import { printLogOfFailures, recentLog } from './recent-log.ts';
import { isFull } from './rounds.ts';

/** Milliseconds without the end of a test, hooks and loading included: far more than any takes but some of the full rounds. */
const patience = Number(process.env['TEST_PATIENCE_MS'] ?? 10 * 60_000);
/** Milliseconds after the last test until the report, and until the end. */
const untilReport = 5000;
const untilEnd = Number(process.env['TEST_LEFTOVERS_MS'] ?? 60_000);

type Handle = { type: string; is_active: boolean; is_referenced: boolean; pid?: number; remoteEndpoint?: Endpoint };
type Endpoint = { host: string; port: number } | string | null;

// Not in the process of the test runner.
if (process.env['NODE_TEST_CONTEXT']) {
  printLogOfFailures();
  if (!isFull) endAfterPatience();
  after(() => {
    const report = () => print(`has run its tests, and is kept alive by: ${resources()}`);
    setTimeout(report, Math.min(untilReport, untilEnd)).unref();
    setTimeout(() => process.exit(1), untilEnd + 1).unref();
  });
}

function endAfterPatience(): void {
  const running = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const names = [...running].join('", "') || 'no test';
      print(`has waited ${patience / 1000} s for "${names}", with: ${resources()}\n${recentLog.lines.join('')}`);
      process.exit(1);
    }, patience).unref();
  };
  wait();
  // Contexts of suites have no hooks of this kind, so this is always a test's.
  beforeEach((context) => void running.add((context as TestContext).fullName));
  afterEach((context) => {
    running.delete((context as TestContext).fullName);
    wait();
  });
  after(() => clearTimeout(timer));
}

const print = (what: string): void => void process.stderr.write(`${process.argv[1]} ${what}\n`);

/** What the process waits for: kinds of resources, then its own processes and the other ends of its connections. */
function resources(): string {
  const { libuv } = process.report.getReport() as unknown as { libuv: Handle[] };
  const held = libuv.filter((handle) => handle.is_active && handle.is_referenced);
  return [
    ...process.getActiveResourcesInfo(),
    ...held.flatMap(({ pid, remoteEndpoint }) => commandOf(pid) ?? addressOf(remoteEndpoint)),
  ].join(', ');
}

function commandOf(pid: number | undefined): string | undefined {
  if (pid === undefined) return undefined;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return `process ${pid}`;
  }
}

const addressOf = (end: Endpoint | undefined): string[] => {
  if (!end) return [];
  return [typeof end === 'string' ? end : `${end.host}:${end.port}`];
};
