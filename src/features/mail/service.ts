import type { FastifyBaseLogger } from 'fastify';
import type { MailContent, MailKind, MailLanguage } from '../../database/tables.ts';
import { ConflictError } from '../../errors.ts';
import type { Page } from '../../http/lists/paging.ts';
import { type Mailer, MailRefusedError } from './mailer.ts';
import { type MailMatter, type MailSite, renderMail } from './render.ts';
import type { Candidate, DueMail, MailStore, MailWithProblem, NewMail } from './store.ts';

type Told = { key: string; title: string; exam_id: number | null; attempt_id: number | null; kind: string };

export type MailServiceParts = {
  store: MailStore;
  /** Undefined: mail is off. */
  mailer: Mailer | undefined;
  seal: {
    seal: (text: string, place: string) => Buffer;
    open: (sealed: Buffer, place: string) => string | undefined;
  };
  /** What users see of their notifications. */
  notifications: { listsOf: (userIds: readonly number[]) => Promise<Map<number, Told[]>> };
  /** Has a process of the service send what is due at that time. */
  wake: (at: Date) => void;
  site: () => Promise<MailSite>;
  concurrency: number;
  log: FastifyBaseLogger;
};

/** What a user, or somebody for the user, has asked for. */
export type AskedMail = { userId: number; secret: string; minutes: number; content: MailContent };
export type TestedUser = { id: number; username: string; email: string; full_name: string | null };
type AskedKind = 'address' | 'password' | 'invitation';

/** Matters that are looked at together. */
const batch = 500;
/** Mails that one job sends, so that it ends before it counts as lost. */
const maxOfJob = 200;
/** Names in a mail. */
const maxNames = 10;
/** Minutes after which the news are of no use. */
const [minutesOfNews, minutesOfHands] = [3 * 1440, 60];

const pages: Record<AskedKind, string> = {
  address: '/confirm-address',
  password: '/reset-password',
  invitation: '/invitation',
};
const placeOf = (userId: number, kind: MailKind): string => `mail ${userId} ${kind}`;

/**
 * Mails: written into a table first, and sent from it by jobs. A mail that was taken by a process that died is taken again when its attempt
 * counts as lost. Each attempt has the same Message-ID, because a server may have taken a mail whose answer was lost.
 */
export class MailService {
  readonly #parts: MailServiceParts;

  constructor(parts: MailServiceParts) {
    this.#parts = parts;
  }

  get isOn(): boolean {
    return this.#parts.mailer !== undefined;
  }

  /**
   * Writes mails with links. Nothing where mail is off.
   * @param db the transaction that they belong to; undefined: none
   * @param language for users who have not logged in yet
   */
  async ask(
    db: Parameters<MailStore['add']>[0],
    kind: AskedKind,
    mails: readonly AskedMail[],
    language?: MailLanguage,
  ): Promise<void> {
    if (!this.isOn) return;
    const { store, seal, wake } = this.#parts;
    const written = mails.map(({ userId, secret, minutes, content }): NewMail => {
      const sealed = seal.seal(secret, placeOf(userId, kind)).toString('base64');
      return { user_id: userId, kind, key: kind, event_at: null, content, secret: sealed, minutes };
    });
    await store.add(db, written, language);
    wake(new Date());
  }

  /** Writes that accounts will be deleted then. Nothing where mail is off. @param db the transaction that it belongs to */
  async announceDeletion(
    db: NonNullable<Parameters<MailStore['add']>[0]>,
    userIds: readonly number[],
    until: Date,
  ): Promise<void> {
    if (!this.isOn || userIds.length === 0) return;
    await this.#parts.store.writeDeletions(db, userIds, until);
    this.#parts.wake(new Date());
  }

  /** Writes mails of what has happened, and has those sent that are due. */
  async round(): Promise<void> {
    const { store, wake } = this.#parts;
    await store.writePlans();
    for (let after: Pick<Candidate, 'user_id' | 'key'> = { user_id: 0, key: '' }; ; ) {
      const found = await store.candidates(after, batch);
      await this.#write(found);
      const last = found.at(-1);
      if (!last || found.length < batch) break;
      after = last;
    }
    if (await store.hasDue()) wake(new Date());
  }

  async clean(): Promise<void> {
    await this.#parts.store.clean();
  }

  /** Sends what is due, several at once. */
  async sendDue(): Promise<void> {
    const { mailer, store, concurrency, wake } = this.#parts;
    if (!mailer) return;
    const site = await this.#parts.site();
    let left = maxOfJob;
    const work = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const mail = await store.take();
        if (!mail) return;
        await this.#send(mailer, mail, site);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    if (left === 0 && (await store.hasDue())) wake(new Date());
  }

  /** Sends one mail now, to an administrator. @throws ConflictError where mail is off */
  async test(to: TestedUser, language: MailLanguage) {
    const { mailer } = this.#parts;
    if (!mailer) throw new ConflictError('mail_off', 'Mail is off: SMTP_URL is not set');
    const site = await this.#parts.site();
    const { username, full_name } = to;
    const matter = { kind: 'test', language, content: {}, name: full_name ?? username, username } as const;
    const id = `test.${to.id}.${Date.now()}`;
    const mail = { id, recipient: to.email, ...renderMail({ ...matter, link: site.publicUrl }, site) };
    try {
      return { is_sent: true, recipient: to.email, answer: await mailer.send(mail) };
    } catch (error) {
      if (!(error instanceof MailRefusedError)) throw error;
      return { is_sent: false, recipient: to.email, answer: error.message };
    }
  }

  async withProblem(page: Page): Promise<{ rows: MailWithProblem[]; total: number }> {
    return await this.#parts.store.withProblem(page);
  }

  /** @throws NotFoundError */
  async sendAgain(id: number): Promise<void> {
    await this.#parts.store.sendAgain(id);
    this.#parts.wake(new Date());
  }

  /** @throws NotFoundError */
  async delete(id: number): Promise<void> {
    await this.#parts.store.delete(id);
  }

  async #send(mailer: Mailer, mail: DueMail, site: MailSite): Promise<void> {
    const { store, log, wake } = this.#parts;
    const link = this.#linkOf(mail, site.publicUrl);
    const { id, kind, language, content, username, full_name, recipient } = mail;
    if (link === undefined || mail.expires_at.getTime() < Date.now()) {
      const reason = link === undefined ? 'Its link is gone, or SECRET_KEY was changed' : 'Its time was over';
      await store.postpone(id, mail.problem ?? reason, true);
      return;
    }
    const matter: MailMatter = { kind, language, content, username, name: full_name ?? username, link };
    try {
      const messageId = `${id}.${mail.created_at.getTime()}`;
      await mailer.send({ id: messageId, recipient, ...renderMail(matter, site) });
    } catch (error) {
      if (!(error instanceof MailRefusedError)) throw error;
      const next = await store.postpone(id, error.message, error.isPermanent);
      // Neither the address nor a title: they are personal.
      log.warn({ mail: id, kind, answer: error.message, next }, 'a mail was not taken by the mail server');
      if (next) wake(next);
      return;
    }
    await store.markSent(id);
  }

  /** @returns undefined where the secret of its link is gone */
  #linkOf({ user_id, kind, content, sealed_secret }: DueMail, publicUrl: string): string | undefined {
    if (!(kind in pages)) return publicUrl + (content.path ?? '/');
    const secret = sealed_secret ? this.#parts.seal.open(sealed_secret, placeOf(user_id, kind)) : undefined;
    return secret === undefined ? undefined : `${publicUrl}${pages[kind as AskedKind]}#${secret}`;
  }

  /** What the user does not see, or not any more, is not told by mail either. */
  async #write(candidates: readonly Candidate[]): Promise<void> {
    const { store, notifications } = this.#parts;
    const lists = await notifications.listsOf([...new Set(candidates.map(({ user_id }) => user_id))]);
    const mails = candidates.flatMap(({ notification, ...matter }): NewMail[] => {
      const told = lists.get(matter.user_id) ?? [];
      const seen = told.filter(({ key, kind }) => (notification === null ? kind === 'hand' : key === notification));
      if (seen.length === 0) return [];
      const minutes = notification === null ? minutesOfHands : minutesOfNews;
      const content = notification === null ? handsOf(seen) : resultsOf(seen[0] as Told);
      return [{ ...matter, content, secret: null, minutes }];
    });
    await store.add(undefined, mails);
  }
}

const handsOf = (hands: readonly Told[]): MailContent => ({
  ...{ count: hands.length, names: hands.slice(0, maxNames).map(({ title }) => title), path: '/teaching/live' },
});

const resultsOf = ({ title, exam_id, attempt_id }: Told): MailContent => ({
  ...{ title, path: `/${exam_id === null ? 'laboratories' : 'exams'}/results/${attempt_id}` },
});
