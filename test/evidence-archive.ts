import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { parseTarHeader } from '../packages/ssh/tar.ts';
import type { TestServer, TestUser } from './server.ts';
import { until } from './until.ts';

const pathOf = (attempt: number) => `/api/instructor/attempts/${attempt}/evidence`;

// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary answers
export async function evidenceOf(server: TestServer, user: TestUser, attempt: number): Promise<any> {
  return (await server.get(`${pathOf(attempt)}/summary`, user.token)).body;
}

/** What is kept of an attempt, once that is decided. */
// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary answers
export async function settledEvidence(server: TestServer, user: TestUser, attempt: number): Promise<any> {
  const isSettled = async () => ['kept', 'failed'].includes((await evidenceOf(server, user, attempt)).status);
  await until(isSettled, 'the evidence', 60_000);
  return await evidenceOf(server, user, attempt);
}

/** @param file where the archive is written */
export async function downloadEvidence(server: TestServer, user: TestUser, attempt: number, file: string) {
  const answer = await server.get(pathOf(attempt), user.token);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers.get('content-type'), 'application/x-tar');
  await writeFile(file, answer.bytes);
  return { file, bytes: answer.bytes, files: filesOf(answer.bytes) };
}

/** The files of an archive of tar. */
export function filesOf(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (let at = 0; ; ) {
    const entry = parseTarHeader(archive.subarray(at, at + 512));
    if (!entry) return files;
    files.set(entry.name, archive.subarray(at + 512, at + 512 + entry.bytes));
    at += 512 + Math.ceil(entry.bytes / 512) * 512;
  }
}
