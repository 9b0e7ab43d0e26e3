/** The frames of `/.grader/bin/hold` (images/grader/hold.c): a type, the length of the rest in four bytes, the rest. */

const headerBytes = 5;
/** Maximum bytes of a frame that is not output. */
const longestMessage = 64;

export type HolderFrame =
  | { type: 'output'; bytes: Buffer }
  | { type: 'hello'; received: number; start: number; end: number; cols: number; rows: number }
  | { type: 'size'; cols: number; rows: number }
  | { type: 'live' }
  | { type: 'received'; bytes: number }
  | { type: 'exit'; code: number | null }
  | { type: 'taken' };

/** The holder sends something that is not a frame. Root of the container can replace it. */
export class NotAHolderError extends Error {
  constructor() {
    super('The holder of the terminal does not speak its protocol');
    this.name = 'NotAHolderError';
  }
}

/** Splits the holder's bytes into frames. A frame of output is passed on in parts, as it arrives. */
export class HolderFrames {
  readonly #onFrame: (frame: HolderFrame) => void;
  #head: Buffer = Buffer.alloc(0);
  #type = 0;
  /** Bytes of the current frame that have not arrived. */
  #left = 0;

  constructor(onFrame: (frame: HolderFrame) => void) {
    this.#onFrame = onFrame;
  }

  /** @throws NotAHolderError */
  push(chunk: Buffer): void {
    let bytes = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    this.#head = Buffer.alloc(0);
    while (bytes.length > 0) {
      if (this.#left > 0) {
        const part = bytes.subarray(0, this.#left);
        this.#left -= part.length;
        bytes = bytes.subarray(part.length);
        this.#onFrame({ type: 'output', bytes: part });
        continue;
      }
      if (bytes.length < headerBytes) break;
      this.#type = bytes[0] as number;
      const length = bytes.readUInt32BE(1);
      if (this.#type === code('O')) {
        this.#left = length;
        bytes = bytes.subarray(headerBytes);
        continue;
      }
      if (length > longestMessage) throw new NotAHolderError();
      if (bytes.length < headerBytes + length) break;
      this.#onFrame(parse(this.#type, bytes.subarray(headerBytes, headerBytes + length)));
      bytes = bytes.subarray(headerBytes + length);
    }
    this.#head = bytes;
  }
}

const code = (letter: string): number => letter.charCodeAt(0);

function parse(type: number, body: Buffer): HolderFrame {
  switch (`${String.fromCharCode(type)}${body.length}`) {
    case 'H28': {
      const [received, start, end] = [number(body, 0), number(body, 8), number(body, 16)];
      if (start > end) throw new NotAHolderError();
      return { type: 'hello', received, start, end, ...size(body, 24) };
    }
    case 'W4':
      return { type: 'size', ...size(body, 0) };
    case 'L0':
      return { type: 'live' };
    case 'R8':
      return { type: 'received', bytes: number(body, 0) };
    case 'X4': {
      const exit = body.readInt32BE(0);
      return { type: 'exit', code: exit >= 0 && exit <= 255 ? exit : null };
    }
    case 'T0':
      return { type: 'taken' };
    default:
      throw new NotAHolderError();
  }
}

function number(body: Buffer, at: number): number {
  const value = Number(body.readBigUInt64BE(at));
  if (!Number.isSafeInteger(value)) throw new NotAHolderError();
  return value;
}

/** A hostile holder names any size. */
const size = (body: Buffer, at: number) => ({
  cols: Math.min(500, Math.max(1, body.readUInt16BE(at))),
  rows: Math.min(300, Math.max(1, body.readUInt16BE(at + 2))),
});

const frame = (letter: string, body: Buffer): Buffer => {
  const bytes = Buffer.allocUnsafe(headerBytes + body.length);
  bytes[0] = code(letter);
  bytes.writeUInt32BE(body.length, 1);
  body.copy(bytes, headerBytes);
  return bytes;
};

export const toHolder = {
  attach: (from: number): Buffer => {
    const body = Buffer.alloc(8);
    body.writeBigUInt64BE(BigInt(from));
    return frame('A', body);
  },
  input: (bytes: Buffer): Buffer => frame('I', bytes),
  resize: (cols: number, rows: number): Buffer => {
    const body = Buffer.alloc(4);
    body.writeUInt16BE(cols, 0);
    body.writeUInt16BE(rows, 2);
    return frame('W', body);
  },
  hangUp: (): Buffer => frame('K', Buffer.alloc(0)),
};
