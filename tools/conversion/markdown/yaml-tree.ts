import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { type Source, shown } from './source.ts';

/** A value of a YAML or JSON file with its line. Aliases, and values of other kinds, are none of the three. */
export type YamlTree = {
  line: number;
  text?: string;
  list?: YamlTree[];
  map?: Map<string, YamlTree>;
};

const maxDepth = 50;

/** The value of a file. Undefined, with a problem, where it is not YAML. Tags have no effect. */
export function readYaml(source: Source, path: string): YamlTree | undefined {
  const lines = new LineCounter();
  try {
    const document = parseDocument(source.text(path) ?? '', {
      lineCounter: lines,
      prettyErrors: false,
      logLevel: 'silent',
      uniqueKeys: false,
    });
    const [error] = document.errors;
    if (!error) return treeOf(document.contents, lines, 0);
    const params = { kind: error.code, error: shown(error.message) };
    source.refuse(path, lines.linePos(error.pos[0]).line, 'contents_unreadable', params);
  } catch (error) {
    // Values that are nested too deep for the parser.
    if (!(error instanceof RangeError)) throw error;
    source.refuse(path, 1, 'nested_too_deep');
  }
  return undefined;
}

function treeOf(node: unknown, lines: LineCounter, depth: number): YamlTree {
  const range = (node as { range?: [number, number, number] } | null)?.range;
  const tree: YamlTree = { line: Math.max(1, lines.linePos(range?.[0] ?? 0).line) };
  if (depth > maxDepth) return tree;
  if (isScalar(node)) {
    if (['string', 'number', 'boolean'].includes(typeof node.value)) tree.text = String(node.value as string);
  } else if (isSeq(node)) tree.list = node.items.map((item) => treeOf(item, lines, depth + 1));
  else if (isMap(node)) {
    tree.map = new Map();
    for (const { key, value } of node.items) {
      if (!isScalar(key)) continue;
      const child = treeOf(value, lines, depth + 1);
      // An empty value has no place of its own.
      const at = key.range?.[0];
      tree.map.set(String(key.value), value === null && at !== undefined ? { line: lines.linePos(at).line } : child);
    }
  }
  return tree;
}
