import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { until } from './until.ts';

/** A mail as it has arrived. */
export type ReceivedMail = {
  recipients: string[];
  raw: string;
  /** The lines of the header by name, in lower case, unfolded, in the order of arrival. */
  headers: Map<string, string[]>;
  subject: string;
  text: string;
  html: string;
};

type Refusal = { code: number; message: string };

/** A mail server that keeps what it gets, and refuses what a test wants it to. */
export class MailServer implements AsyncDisposable {
  readonly mails: ReceivedMail[] = [];
  /** What the server answers to the next recipients in place of taking them. */
  refusals: Refusal[] = [];
  readonly #server: SMTPServer;

  private constructor(options: SMTPServerOptions, users: Record<string, string>) {
    this.#server = new SMTPServer({
      logger: false,
      authOptional: Object.keys(users).length === 0,
      onAuth: ({ username = '', password }, _session, done) =>
        users[username] === password && password !== undefined
          ? done(null, { user: username })
          : done(Object.assign(new Error(`5.7.8 No entry for ${username} with ${password}`), { responseCode: 535 })),
      onRcptTo: (_address, _session, done) => {
        const refusal = this.refusals.shift();
        done(refusal && Object.assign(new Error(refusal.message), { responseCode: refusal.code }));
      },
      onData: (stream, session, done) => {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('end', () => {
          const recipients = session.envelope.rcptTo.map(({ address }) => address);
          this.mails.push(readMail(Buffer.concat(parts).toString(), recipients));
          done(null, 'queued as test');
        });
      },
      ...options,
    });
    this.#server.on('error', () => undefined);
  }

  /** @param port 0: a free one */
  static async listen(port = 0, options: SMTPServerOptions = {}, users = {}): Promise<MailServer> {
    const server = new MailServer({ disabledCommands: ['STARTTLS'], ...options }, users);
    await new Promise<void>((resolve) => server.#server.listen(port, '127.0.0.1', resolve));
    return server;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  /** The first mail to an address whose subject matches, when it has arrived. */
  async next(recipient: string, subject: RegExp): Promise<ReceivedMail> {
    const find = () => this.mails.find((mail) => mail.recipients.includes(recipient) && subject.test(mail.subject));
    const all = () => this.mails.map((mail) => `${mail.recipients}: ${mail.subject}`).join('; ');
    await until(
      () => find() !== undefined,
      () => `a mail to ${recipient} (${subject}); there are: ${all()}`,
    );
    return find() ?? assert.fail();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/** A key and a certificate for `localhost` that nobody knows. */
export async function newCertificate(): Promise<{ key: string; cert: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'mail-'));
  const [key, cert] = [join(folder, 'key'), join(folder, 'cert')];
  const made = 'req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost';
  await promisify(execFile)('openssl', [...made.split(' '), '-keyout', key, '-out', cert]);
  const read = { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
  await rm(folder, { recursive: true });
  return read;
}

function readMail(raw: string, recipients: string[]): ReceivedMail {
  const headers = headersOf(raw);
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(one(headers, 'content-type')) ?? [];
  const parts = raw.split(`--${boundary}`).slice(1, -1);
  const part = (type: string): string => {
    const found = parts.find((each) => one(headersOf(each.trimStart()), 'content-type').startsWith(type)) ?? '';
    const [, encoding = ''] = /^content-transfer-encoding: (\S+)/im.exec(found) ?? [];
    return decoded(found.slice(found.indexOf('\r\n\r\n') + 4), encoding).replaceAll('\r\n', '\n');
  };
  return {
    recipients,
    raw,
    headers,
    subject: words(one(headers, 'subject')),
    text: part('text/plain'),
    html: part('text/html'),
  };
}

const one = (headers: Map<string, string[]>, name: string): string => headers.get(name)?.[0] ?? '';

function headersOf(raw: string): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  const [head = ''] = raw.split('\r\n\r\n', 1);
  for (const line of head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const [name = '', ...rest] = line.split(':');
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), rest.join(':').trim()]);
  }
  return headers;
}

function decoded(text: string, encoding: string): string {
  if (encoding.toLowerCase() === 'base64') return Buffer.from(text, 'base64').toString();
  if (encoding.toLowerCase() !== 'quoted-printable') return text;
  const joined = text.replaceAll(/=\r\n/g, '');
  const bytes = joined.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

/** Encoded words of a header (RFC 2047). */
const words = (text: string): string =>
  text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?(B|Q)\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toUpperCase() === 'B' ? Buffer.from(word, 'base64').toString('latin1') : unquoted(word),
    )
    .replaceAll(/[\u0080-\u00ff]+/g, (bytes) => Buffer.from(bytes, 'latin1').toString());
const unquoted = (word: string): string =>
  word
    .replaceAll('_', ' ')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
