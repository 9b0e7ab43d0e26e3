import { ConcurrencyLimiter } from '../../../packages/limits/concurrency-limiter.ts';
import { fileTooLarge, invalidFile, overloaded, ServiceError } from '../../errors.ts';

export type PictureLimits = {
  maxBytes: number;
  /** The maximum width times height of the uploaded picture. */
  maxPixels: number;
  /** Pictures that are decoded at once, and uploads that may wait for their turn. */
  concurrency: number;
  maxWaiting: number;
};

type Form = { width: number; height: number; fit: 'cover' | 'inside' };
const forms = {
  avatar: { width: 256, height: 256, fit: 'cover' },
  /** Twice the pixels of the largest place of a logo in the pages. */
  logo: { width: 512, height: 128, fit: 'inside' },
} as const satisfies Record<string, Form>;
const decodeSeconds = 10;

/** The magic bytes of each format. No other file reaches a decoder: no SVG, no PDF, whatever its name. */
const formats: Record<string, (bytes: Buffer) => boolean> = {
  png: (bytes) => bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')),
  jpeg: (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  gif: (bytes) => ['GIF87a', 'GIF89a'].includes(bytes.toString('latin1', 0, 6)),
  webp: (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
};

/** Creates avatars and logos from uploaded pictures, a bounded number at once. A decoded picture can take a hundred times its file's size. */
export class PictureMaker {
  readonly #limits: PictureLimits;
  readonly #turns: ConcurrencyLimiter;

  constructor(limits: PictureLimits) {
    this.#limits = limits;
    this.#turns = new ConcurrencyLimiter(limits, overloaded('Too many pictures at once'));
  }

  get maxBytes(): number {
    return this.#limits.maxBytes;
  }

  /**
   * The first frame, upright, cropped to a square, as WebP of 256 x 256 without metadata.
   * @throws ServiceError 413 for too many bytes or pixels, 415 for a file in none of the four formats; InvalidError for one that is empty or
   * damaged; Unavailable when too many are waiting
   */
  async avatarOf(bytes: Buffer): Promise<Buffer> {
    return await this.#create(bytes, forms.avatar);
  }

  /** The first frame, upright and whole, as WebP of at most 512 x 128 without metadata. @throws as `avatarOf` */
  async logoOf(bytes: Buffer): Promise<Buffer> {
    return await this.#create(bytes, forms.logo);
  }

  async #create(bytes: Buffer, form: Form): Promise<Buffer> {
    if (bytes.length === 0) throw invalidFile('the file is empty');
    if (bytes.length > this.#limits.maxBytes) throw fileTooLarge(this.#limits.maxBytes);
    const format = Object.keys(formats).find((name) => formats[name]?.(bytes));
    if (format === undefined)
      throw new ServiceError(415, 'not_a_picture', 'The file is not a PNG, JPEG, WebP or GIF picture');
    return await this.#turns.run(() => convert(bytes, this.#limits.maxPixels, form));
  }
}

async function convert(
  bytes: Buffer,
  maxPixels: number,
  { width: maxWidth, height: maxHeight, fit }: Form,
): Promise<Buffer> {
  // Loaded with the first picture, because most starts and most requests do not need it.
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  const { width, height } = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => refuse(error));
  // Checked from the header before decoding. A decompression bomb costs only the reading of its first bytes.
  if (width * height > maxPixels)
    throw new ServiceError(413, 'picture_too_large', `The picture has more than ${maxPixels} pixels`);
  const options = { limitInputPixels: maxPixels, failOn: 'warning', pages: 1, sequentialRead: true } as const;
  return await sharp(bytes, options)
    .timeout({ seconds: decodeSeconds })
    .autoOrient()
    .resize(maxWidth, maxHeight, { fit, withoutEnlargement: fit === 'inside' })
    .webp({ quality: 82 })
    .toBuffer()
    .catch((error: unknown) => refuse(error));
}

/** The library's messages are not forwarded: they can reveal its components and the file's content. */
function refuse(error: unknown): never {
  if (error instanceof Error && /timeout/i.test(error.message))
    throw invalidFile('the picture takes too long to decode');
  throw invalidFile('the picture is damaged or not supported');
}
