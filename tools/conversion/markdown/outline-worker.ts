/**
 * A thread that finds the courses of a repository. Parsing its texts takes time and memory that their authors decide, so it runs where it can
 * be terminated.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { type Outline, outlineOf } from './outline.ts';

export type OutlineTask = { files: ReadonlyMap<string, string | null>; name: string; language?: string | undefined };

const { files, name, language } = workerData as OutlineTask;
parentPort?.postMessage(outlineOf(files, name, language) satisfies Outline);
