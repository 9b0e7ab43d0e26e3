import { createHash, verify } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Command } from '@commander-js/extra-typings';
import { parseTarHeader } from '../../packages/ssh/tar.ts';
import { publicKeyOf } from '../database/signing-key.ts';

/** Bytes of the manifest and of its signature that are read. */
const maxManifestBytes = 16 * 1024 * 1024;
const blockBytes = 512;

type Checksum = { name: string; bytes: number; sha256: string };
type Manifest = { kept_at: string; public_key: string; missing: string[]; files: Checksum[] };
export type Verified = {
  /** Why the archive is not to be believed. Empty: it is sound. */
  problems: string[];
  manifest: Manifest | undefined;
};

export const command = new Command('verify-evidence')
  .summary('Check the evidence of an attempt')
  .description(
    'Check an archive that an instructor has downloaded: the signature of its manifest, and size and checksum of each file. It needs neither the database nor the installation.',
  )
  .argument('<file>', 'the archive')
  .option('--key <key>', 'the public key of the installation in base64, which the pages show beside the download')
  .action(async (file, { key }) => {
    const { problems, manifest } = await verifyEvidence(file, key);
    const write = (text: string): void => void process.stdout.write(`${text}\n`);
    if (manifest) {
      write(`Kept at      ${manifest.kept_at}`);
      write(`Files        ${manifest.files.length}`);
      write(`Missing      ${manifest.missing.join(', ') || 'nothing'}`);
      write(`Signed with  ${manifest.public_key}`);
    }
    for (const problem of problems) write(`Problem      ${problem}`);
    if (problems.length > 0) write('The archive was changed or is damaged. Do not rely on it.');
    else if (key === undefined)
      write(
        'The archive is complete and unchanged since it was signed. Compare the key with that of the installation, which the pages show.',
      );
    else write('The archive is complete and unchanged, and this installation has signed it.');
    process.exitCode = problems.length > 0 ? 1 : 0;
  });

/** @param key that must have signed it @throws Error where the file cannot be read */
export async function verifyEvidence(path: string, key?: string): Promise<Verified> {
  const problems: string[] = [];
  const found = new Map<string, Checksum>();
  const texts = new Map<string, Buffer>();
  try {
    await readFiles(path, (name, text, checksum) => {
      if (found.has(name) || texts.has(name)) problems.push(`${name} is in the archive twice`);
      if (text) texts.set(name, text);
      else found.set(name, checksum);
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error)
      throw new Error(`${path} ${error.code === 'ENOENT' ? 'does not exist' : 'cannot be read'}`, { cause: error });
    problems.push(`It is no complete tar archive: ${error instanceof Error ? error.message : error}`);
  }
  const signed = texts.get('manifest.json');
  const signature = texts.get('manifest.sig');
  if (!signed || !signature) return { problems: [...problems, 'It has no signed manifest'], manifest: undefined };
  let manifest: Manifest;
  try {
    manifest = JSON.parse(signed.toString()) as Manifest;
    const publicKey = publicKeyOf(manifest.public_key);
    if (!publicKey || !verify(null, signed, publicKey, Buffer.from(signature.toString(), 'base64')))
      problems.push('The signature does not belong to the manifest');
    if (key !== undefined && manifest.public_key !== key.trim()) problems.push('Another key has signed it');
    for (const { name, bytes, sha256 } of manifest.files) {
      const file = found.get(name);
      if (!file) problems.push(`${name} is missing`);
      else if (file.bytes !== bytes || file.sha256 !== sha256) problems.push(`${name} was changed`);
    }
    const known = new Set(manifest.files.map(({ name }) => name));
    for (const name of found.keys()) if (!known.has(name)) problems.push(`${name} was added`);
  } catch {
    return { problems: [...problems, 'The manifest cannot be read'], manifest: undefined };
  }
  return { problems, manifest };
}

/** Reads an archive file by file. @param take gets the content of the manifest and its signature, and the checksums of all others */
async function readFiles(
  path: string,
  take: (name: string, text: Buffer | undefined, checksum: Checksum) => void,
): Promise<void> {
  let pending: Buffer = Buffer.alloc(0);
  let file:
    | {
        name: string;
        bytes: number;
        left: number;
        padding: number;
        hash: ReturnType<typeof createHash>;
        text: Buffer[];
      }
    | undefined;
  let isOver = false;
  const isText = (name: string): boolean => name === 'manifest.json' || name === 'manifest.sig';
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    while (!isOver) {
      if (!file) {
        if (pending.length < blockBytes) break;
        const entry = parseTarHeader(pending.subarray(0, blockBytes));
        pending = pending.subarray(blockBytes);
        if (!entry) {
          isOver = true;
          break;
        }
        if (isText(entry.name) && entry.bytes > maxManifestBytes) throw new Error('the manifest is too large');
        const padding = (blockBytes - (entry.bytes % blockBytes)) % blockBytes;
        file = { ...entry, left: entry.bytes, padding, hash: createHash('sha256'), text: [] };
      }
      const part = pending.subarray(0, file.left);
      file.hash.update(part);
      if (isText(file.name)) file.text.push(part);
      file.left -= part.length;
      pending = pending.subarray(part.length);
      if (file.left > 0 || pending.length < file.padding) break;
      pending = pending.subarray(file.padding);
      const { name, bytes, hash, text } = file;
      take(name, isText(name) ? Buffer.concat(text) : undefined, { name, bytes, sha256: hash.digest('hex') });
      file = undefined;
    }
    if (!isOver) continue;
    if (pending.some((byte) => byte !== 0)) throw new Error('something follows its end');
    pending = Buffer.alloc(0);
  }
  if (!isOver) throw new Error('its end is missing');
}
