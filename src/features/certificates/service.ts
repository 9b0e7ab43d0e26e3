import type { KeyObject } from 'node:crypto';
import type { Static } from 'typebox';
import { ConcurrencyLimiter } from '../../../packages/limits/concurrency-limiter.ts';
import { runInThread } from '../../../packages/limits/run-in-thread.ts';
import { ConflictError, found, InvalidError, UnavailableError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Page } from '../../http/lists/paging.ts';
import { refusedField } from '../../values/coded-problem.ts';
import { issuerDocument, signedCredential, signedStatusList } from './credential.ts';
import { isPrintable } from './fonts.ts';
import type { PdfResult, PdfTask } from './pdf-worker.ts';
import type { CertificateSchema, Language, NewCertificate } from './schema.ts';
import type { CertificateRow, CertificateStore, OwnCertificate } from './store.ts';

export type CertificateParts = {
  store: CertificateStore;
  /** The Ed25519 key of the installation. */
  key: KeyObject;
  /** The name of the installation. */
  issuer: () => Promise<string>;
  timeZone: string;
};

const pdfProgram = new URL('./pdf-worker.ts', import.meta.url);
const threadLimits = { seconds: 10, heapMb: 128 };
const busy = (cause?: unknown) =>
  new UnavailableError('overloaded', 'Too many certificates are written at once', { cause });

/** Certificates of passed exams and finished courses: as a page, a PDF and a signed credential. */
export class CertificateService {
  readonly #parts: CertificateParts;
  readonly #turns = new ConcurrencyLimiter({ concurrency: 2, maxWaiting: 50 }, () => busy());

  readonly #readings = new Map<number, Promise<number[]>>();

  constructor(parts: CertificateParts) {
    this.#parts = parts;
  }

  async list({ id }: Caller, page: Page): Promise<{ rows: OwnCertificate[]; total: number }> {
    return await this.#parts.store.list(id, page);
  }

  /** @throws InvalidError for a name that cannot be shown, ConflictError if it is not earned */
  async create({ id }: Caller, wanted: NewCertificate): Promise<Static<typeof CertificateSchema>> {
    const name = wanted.name.normalize('NFC').trim();
    if (!isPrintable(name)) throw new InvalidError([refusedField(['body', 'name'], 'certificate_name')]);
    const created = await this.#parts.store.create(id, { ...wanted, name });
    if (!created)
      throw new ConflictError('no_certificate', 'It gives you no certificate, or has given you one already');
    return await this.#shown(created);
  }

  /** For anybody. @throws NotFoundError */
  async read(id: string): Promise<Static<typeof CertificateSchema>> {
    return await this.#shown(found(await this.#parts.store.byId(id), 'Certificate'));
  }

  /** @throws NotFoundError for that of somebody else */
  async delete(caller: Caller, id: string): Promise<void> {
    found((await this.#parts.store.delete(caller.id, id)) || undefined, 'Certificate');
  }

  /** @param origin the address of the service @throws NotFoundError, ConflictError for a withdrawn one, UnavailableError */
  async pdf(caller: Caller, id: string, language: Language, origin: string): Promise<Uint8Array> {
    const { kind, name, title, earned_at: earnedAt } = await this.#valid(caller, id);
    const issuer = await this.#parts.issuer();
    const { timeZone } = this.#parts;
    const task: PdfTask = {
      ...{ language, kind, name: name ?? '', title, issuer, earnedAt, timeZone, url: `${origin}/verify/${id}` },
    };
    return await this.#turns.run(() => runInThread<PdfResult>(pdfProgram, task, threadLimits, busy));
  }

  /** @throws NotFoundError, ConflictError for a withdrawn one */
  async credential(caller: Caller, id: string, origin: string): Promise<string> {
    const { store, key, issuer } = this.#parts;
    const certificate = await this.#valid(caller, id);
    const partId = await store.partOf(certificate);
    const statusIndex = await store.statusIndex(id);
    return signedCredential({ certificate, statusIndex, partId, issuer: await issuer(), origin, key });
  }

  /** Which certificates are withdrawn or deleted, for anybody. Concurrent readers share one reading of the database. */
  async statusList(list: number, origin: string): Promise<string> {
    const reading = this.#readings.get(list) ?? this.#parts.store.withdrawn(list);
    this.#readings.set(list, reading);
    try {
      return signedStatusList(origin, this.#parts.key, list, await reading);
    } finally {
      if (this.#readings.get(list) === reading) this.#readings.delete(list);
    }
  }

  issuerDocument(origin: string) {
    return issuerDocument(origin, this.#parts.key);
  }

  async #valid(caller: Caller, id: string): Promise<CertificateRow> {
    const row = await this.#parts.store.byId(id);
    const certificate = found(row?.user_id === caller.id ? row : undefined, 'Certificate');
    if (certificate.withdrawn_at) throw new ConflictError('certificate_withdrawn', 'The certificate was withdrawn');
    return certificate;
  }

  async #shown(row: CertificateRow): Promise<Static<typeof CertificateSchema>> {
    return { ...row, issuer: await this.#parts.issuer() };
  }
}
