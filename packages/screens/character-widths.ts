/** The part of a terminal of xterm.js, in a browser or without one, that is needed here. */
type Terminal = {
  unicode: {
    activeVersion: string;
    register(provider: {
      version: string;
      wcwidth(code: number): 0 | 1 | 2;
      charProperties(code: number, preceding: number): number;
    }): void;
  };
};
/** The widths that xterm.js has itself, of Unicode 6, which is before most emoji. */
type Before = { wcwidth(code: number): number };

/** What precedes a character: it decides whether the two are one. */
const nothing = 0;
const pictograph = 1;
const joined = 2;
const halfFlag = 3;
const keycapBase = 4;
const kindBits = 7;
/** Pictographs of one cell, such as the members of a family. More begin the next cell, so that no cell grows without bounds. */
const mostJoined = 8;

const wide = /^\p{Emoji_Presentation}$/u;
const pictographic = /^\p{Extended_Pictographic}$/u;
const [joiner, emojiStyle] = [0x200d, 0xfe0f];
/** The first character of which one is an emoji, or belongs to one, except for the bases of keycaps. */
const first = 0x2000;
const asBefore = 3;
/** One more than the answer of `read`, for each character; 0 where it has not been read. */
const known = new Uint8Array(0x20000);

const isFlagLetter = (code: number): boolean => code >= 0x1f1e6 && code <= 0x1f1ff;
export const isSkinTone = (code: number): boolean => code >= 0x1f3fb && code <= 0x1f3ff;

/** Whether one cell would hold both, if the second were written directly after the first. */
export const isJoined = (before: number, code: number): boolean =>
  isSkinTone(code) || before === joiner || (isFlagLetter(before) && isFlagLetter(code));

/**
 * Gives emoji two cells, as terminals do: one that consists of several (families, flags, skin tones, keycaps) has two cells as a whole. All
 * other characters keep their widths. The screens of the service, those of the pages and the player of recordings use the same widths:
 * otherwise a restored screen would differ from the live one.
 */
export function widenEmoji(terminal: Terminal): void {
  const before = (terminal as unknown as { _core: { unicodeService: { _activeProvider: Before } } })._core
    .unicodeService._activeProvider;
  const widthOf = (code: number): 0 | 1 | 2 => {
    const width = emojiOf(code) >> 3;
    return (width === asBefore ? before.wcwidth(code) : width) as 0 | 1 | 2;
  };
  terminal.unicode.register({
    version: 'emoji',
    wcwidth: widthOf,
    charProperties: (code, preceding) => {
      const [oldState, oldWidth] = [preceding >> 3, (preceding >> 1) & 3];
      const [oldKind, count] = [oldState & kindBits, oldState >> 3];
      if (code < first) {
        const width = before.wcwidth(code);
        const isBase = (code >= 0x30 && code <= 0x39) || code === 0x23 || code === 0x2a;
        if (width > 0 || preceding === 0 || oldWidth === 0)
          return properties(isBase ? keycapBase : nothing, width, false);
        return properties(nothing, oldWidth, true);
      }
      const [width, kind] = [widthOf(code), emojiOf(code) & kindBits];
      const canJoin = preceding !== 0 && oldWidth > 0;
      if (canJoin && oldKind === pictograph && code === joiner && count < mostJoined)
        return properties(joined | ((count + 1) << 3), oldWidth, true);
      if (canJoin && code === emojiStyle && (oldKind === pictograph || oldKind === keycapBase))
        return properties(pictograph | (count << 3), 2, true);
      if (canJoin && oldKind === joined && kind === pictograph) return properties(pictograph | (count << 3), 2, true);
      if (canJoin && oldKind === pictograph && isSkinTone(code)) return properties(pictograph | (count << 3), 2, true);
      if (canJoin && oldKind === halfFlag && kind === halfFlag) return properties(nothing, 2, true);
      if (canJoin && width === 0) return properties(oldKind | (count << 3), oldWidth, true);
      return properties(kind, width, false);
    },
  });
  terminal.unicode.activeVersion = 'emoji';
}

/** What is known of a character beside the widths of xterm.js: its kind, and its width or `asBefore`. */
function emojiOf(code: number): number {
  if (code >= 0xe0020 && code <= 0xe007f) return 0;
  if (code < first || code >= known.length) return asBefore << 3;
  known[code] ||= 1 + read(code);
  return (known[code] as number) - 1;
}

function read(code: number): number {
  if (isFlagLetter(code)) return (1 << 3) | halfFlag;
  const char = String.fromCodePoint(code);
  const width = code === joiner || code === emojiStyle ? 0 : wide.test(char) ? 2 : asBefore;
  return (width << 3) | (pictographic.test(char) ? pictograph : nothing);
}

/** As xterm.js packs them: `UnicodeService.createPropertyValue`. */
const properties = (state: number, width: number, isJoinedToLast: boolean): number =>
  ((state & 0xffffff) << 3) | ((width & 3) << 1) | (isJoinedToLast ? 1 : 0);
