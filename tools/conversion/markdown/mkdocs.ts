import { dirname, join } from 'node:path/posix';
import { folderContents } from './folders.ts';
import { type Contents, type Entry, type Source, shown } from './source.ts';
import { readYaml, type YamlTree } from './yaml-tree.ts';

/** The course of a `mkdocs.yml`: its `nav`, or without one the folders below `docs_dir`. */
export function mkdocsContents(source: Source, file: string): Contents[] | undefined {
  const tree = readYaml(source, file);
  if (tree?.map === undefined) return undefined;
  const base = join(dirname(file), tree.map.get('docs_dir')?.text ?? 'docs');
  const about = { title: tree.map.get('site_name')?.text, description: tree.map.get('site_description')?.text };
  const nav = tree.map.get('nav');
  if (nav?.list === undefined) return [{ ...about, entries: folderContents(source, base).entries }];
  const entryOf = (item: YamlTree): Entry[] => {
    if (item.text !== undefined) return lesson(item, item.text);
    const [named] = item.map ?? [];
    if (named === undefined || item.map?.size !== 1) {
      source.refuse(file, item.line, 'entry_unknown');
      return [];
    }
    const [title, value] = named;
    if (value.list) return [{ title, name: title, children: value.list.flatMap(entryOf) }];
    if (value.text !== undefined) return lesson(value, value.text, title);
    source.refuse(file, value.line, 'entry_empty', { name: shown(title) });
    return [];
  };
  const lesson = ({ line }: YamlTree, reference: string, title?: string): Entry[] => {
    if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(reference)) {
      source.warn(file, line, 'other_site', { name: shown(reference) });
      return [];
    }
    const path = source.find({ file, line }, base, reference);
    return path === undefined ? [] : [{ title, path, children: [] }];
  };
  return [{ ...about, entries: nav.list.flatMap(entryOf) }];
}
