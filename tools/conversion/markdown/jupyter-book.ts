import { dirname, join } from 'node:path/posix';
import { type Contents, type Entry, type OutlineProblemCode, type Source, shown } from './source.ts';
import { readYaml, type YamlTree } from './yaml-tree.ts';

/** The keys of lists below a root, a part, a chapter or a section. */
const lists = ['parts', 'chapters', 'sections', 'subtrees', 'entries'];

/** The course of a `_toc.yml` of Jupyter Book, in its present form or as a list. */
export function jupyterBookContents(source: Source, file: string): Contents[] | undefined {
  const tree = readYaml(source, file);
  if (tree?.map === undefined && tree?.list === undefined) return undefined;
  const base = dirname(file);
  const entryOf = (item: YamlTree): Entry[] => {
    const fields = item.map;
    const children = lists.flatMap((key) => fields?.get(key)?.list ?? []).flatMap(entryOf);
    const title = (fields?.get('title') ?? fields?.get('caption') ?? fields?.get('part'))?.text;
    const named = fields?.get('file') ?? fields?.get('root');
    const refuse = (code: OutlineProblemCode): Entry[] => {
      source.refuse(file, item.line, code);
      return children;
    };
    if (named?.text !== undefined) {
      const path = source.find({ file, line: named.line }, base, named.text, ['.md', '.markdown']);
      return path === undefined && children.length === 0 ? [] : [{ title, path, name: title, children }];
    }
    if (fields?.has('url')) source.warn(file, item.line, 'other_site', { name: shown(fields.get('url')?.text ?? '') });
    else if (fields?.has('glob')) return refuse('pattern_ignored');
    else if (children.length === 0) return refuse('entry_without_file');
    // A part without a name only lists its chapters.
    return title === undefined || children.length === 0 ? children : [{ title, name: title, children }];
  };
  const entries = tree.list?.flatMap(entryOf) ?? entryOf(tree);
  // The lesson at the root precedes the others.
  const flat = entries.flatMap(({ children, ...entry }) => [
    ...(entry.path ? [{ ...entry, children: [] }] : []),
    ...children,
  ]);
  const config = source.first([join(base, '_config.yml')]);
  const title = config === undefined ? undefined : readYaml(source, config)?.map?.get('title')?.text;
  return [{ title, entries: tree.map?.has('root') ? flat : entries }];
}
