import { basename } from 'node:path/posix';
import { isContentsFile, isOrderFile } from './outline.ts';
import { type OutlineProblem, outlineProblem } from './outline-problems.ts';
import { isMarkdown } from './source.ts';

/**
 * What is said about the symbolic links of a repository. One in place of a lesson or a table of contents is a problem. One without an ending
 * can be a folder of lessons. Lessons that refer to another one have a warning of their own.
 */
export function linkReports(links: readonly string[]): { problems: OutlineProblem[]; warnings: OutlineProblem[] } {
  const reports = (paths: string[]) => paths.sort().map((path) => outlineProblem(path, 1, 'symbolic_link'));
  const isText = (path: string) => isMarkdown(path) || isContentsFile(path) || isOrderFile(path);
  return {
    problems: reports(links.filter(isText)),
    warnings: reports(links.filter((path) => !isText(path) && !basename(path).includes('.'))),
  };
}
