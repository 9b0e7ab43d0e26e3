import { createHash } from 'node:crypto';
import { scriptWithLineFeeds } from '../../values/line-feeds.ts';
import { defaultMode, defaultOwner, pathProblem, wholeMode } from '../containers/file-rules.ts';
import { AbsentPathError, type ContentFolder, UnusablePathError } from './content-folder.ts';
import type { Problem } from './problems.ts';
import { type ContentFile, FileList } from './schema.ts';
import { reportRepeats, YamlFile } from './yaml-file.ts';

const maxListBytes = 1024 * 1024;
/** The most that a service can be configured to accept. */
const maxFileBytes = 64 * 1024 * 1024;

/**
 * The files of a folder, whose paths below it are their paths in the container. A YAML file of the same name beside the folder has the
 * owners and modes that are not the default. A program is executable by default.
 * @throws UnusablePathError
 */
export async function readFiles(folder: ContentFolder, path: string, problems: Problem[]): Promise<ContentFile[]> {
  const entries = await folder.filesBelow(path);
  const list = await readList(folder, `${path}.yaml`, problems);
  const listed = new Map(list?.isValid ? list.value.files.map((item) => [item.path, item]) : []);
  const files: ContentFile[] = [];
  for (const { path: below, isExecutable } of entries) {
    const target = `/${below}`;
    const source = `${path}/${below}`;
    const problem = pathProblem(target);
    if (problem !== undefined) {
      problems.push({ file: source, line: 1, message: problem.text });
      continue;
    }
    const read = async () =>
      scriptWithLineFeeds(target, await folder.readBytes(source, maxFileBytes, { mayBeHidden: true }));
    const content = await read();
    const { owner, mode } = listed.get(target) ?? {};
    files.push({
      path: target,
      owner: owner ?? defaultOwner(target),
      mode: wholeMode(mode ?? (isExecutable ? '0755' : defaultMode)),
      bytes: content.length,
      digest: createHash('sha256').update(content).digest('hex'),
      read: async function* () {
        yield await read();
      },
    });
  }
  for (const { place, text } of list?.texts(['files', '*', 'path']) ?? []) {
    if (!entries.some((entry) => `/${entry.path}` === text)) list?.report(place, `${path}${text} does not exist`);
  }
  return files;
}

async function readList(folder: ContentFolder, path: string, problems: Problem[]) {
  try {
    const list = new YamlFile(path, await folder.readText(path, maxListBytes), FileList, problems);
    reportRepeats([list], ['files', '*', 'path']);
    return list;
  } catch (error) {
    if (error instanceof AbsentPathError) return undefined;
    if (!(error instanceof UnusablePathError)) throw error;
    problems.push({ file: path, line: 1, message: error.message });
    return undefined;
  }
}
