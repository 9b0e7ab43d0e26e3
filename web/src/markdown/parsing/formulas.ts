import type { Data, Processor } from 'unified';
import { codeLinesOf } from './code-lines.ts';

type Syntax = NonNullable<Data['micromarkExtensions']>[number];
type Construct = Exclude<NonNullable<Syntax['text']>[number], undefined | unknown[]>;
type State = Parameters<Construct['tokenize']>[1];
type FromMarkdown = Exclude<NonNullable<Data['fromMarkdownExtensions']>[number], unknown[]>;

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    formula: 'formula';
  }
}

/** Characters of a formula in a line. A text full of signs without their ends takes that many times its length to read. */
const maxLength = 500;
const dollar = 36;
const backtick = 96;
const isSpace = (code: number | null): boolean => code === null || code < 0 || code === 32;
const isWord = (code: number | null): boolean => code !== null && /[\p{L}\p{N}]/u.test(String.fromCodePoint(code));

/**
 * `$a_1$`, `$$a_1$$` and GitHub's `` $`a_1`$ `` in a line. As there, no space follows the first sign or precedes the last, and no letter or
 * digit follows that: `$HOME and $PATH` and `$5 or $10` are no formulas.
 */
const construct: Construct = {
  name: 'formula',
  tokenize(effects, ok, nok) {
    const before = this.previous;
    let signs = 0;
    let closing = 0;
    let length = 0;
    let isQuoted = false;
    let last: number | null = null;
    const begin: State = (code) => {
      if (code === dollar) {
        if (signs === 2) return nok(code);
        signs += 1;
        effects.consume(code);
        return begin;
      }
      if (isSpace(code)) return nok(code);
      isQuoted = code === backtick;
      return content(code);
    };
    const content: State = (code) => {
      if (code === null || code < -2 || length > maxLength) return nok(code);
      if (code === dollar && last !== 92) {
        if (isSpace(last) || (isQuoted && last !== backtick)) return nok(code);
        return close(code);
      }
      if (code === backtick && !isQuoted) return nok(code);
      length += 1;
      last = code;
      effects.consume(code);
      return content;
    };
    const close: State = (code) => {
      if (code === dollar && closing < signs) {
        closing += 1;
        effects.consume(code);
        return close;
      }
      if (closing < signs || code === dollar || isWord(code)) return nok(code);
      effects.exit('formula');
      return ok(code);
    };
    return (code) => {
      if (before === dollar || isWord(before)) return nok(code);
      effects.enter('formula');
      return begin(code);
    };
  },
};

/** Formulas become inline code with the property `dataFormula`. */
const nodes: FromMarkdown = {
  enter: {
    formula(token) {
      const value = this.sliceSerialize(token)
        .replace(/^\$+`?/, '')
        .replace(/`?\$+$/, '');
      this.enter({ type: 'inlineCode', value, data: { hProperties: { dataFormula: true } } }, token);
    },
  },
  exit: {
    formula(token) {
      this.exit(token);
    },
  },
};

/** A plugin of remark for formulas in lines of text. */
export function inlineFormulas(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { text: { [dollar]: construct } }];
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), nodes];
}

const sign = /^(?<before>[ \t>]*)\$\$(?<rest>[^$]*)$/;
const oneLine = /^(?<before>[ \t>]*)\$\$(?<formula>[^$]+)\$\$[ \t]*$/;
/** Lines of a formula. TeX allows no empty ones. */
const maxLines = 200;

/** Markdown in which formulas between lines with `$$` are written as GitHub's blocks of code with the language `math`. */
export function withMathBlocks(markdown: string): string {
  if (!/^[ \t>]*\$\$/m.test(markdown)) return markdown;
  const lines = markdown.split('\n');
  const isCode = codeLinesOf(lines);
  const result: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const whole = isCode[at] ? undefined : oneLine.exec(line)?.groups;
    const opening = isCode[at] ? undefined : sign.exec(line)?.groups;
    const end = opening ? endOf(lines, at) : undefined;
    if (whole) result.push(...block(whole['before'], [`${whole['before']}${whole['formula']}`]));
    else if (opening && end !== undefined) {
      const [before = '', rest = ''] = [opening['before'], opening['rest']];
      const inside = lines.slice(at + 1, end);
      const final = (lines[end] ?? '').trimEnd().slice(0, -2);
      result.push(...block(before, [before + rest, ...inside, final].filter(hasText)));
      at = end;
    } else result.push(line);
  }
  return result.join('\n');
}

const hasText = (line: string): boolean => /[^\s>]/.test(line);
const block = (before = '', formula: string[]): string[] => [`${before}\`\`\`math`, ...formula, `${before}\`\`\``];

/** The line that ends with `$$`, before any empty one. */
function endOf(lines: readonly string[], start: number): number | undefined {
  for (let at = start + 1; at < lines.length && at - start < maxLines; at += 1) {
    const line = (lines[at] ?? '').trimEnd();
    if (line.endsWith('$$')) return at;
    if (line.trim() === '') return undefined;
  }
  return undefined;
}
