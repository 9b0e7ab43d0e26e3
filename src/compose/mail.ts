import { smtpMailer } from '../adapters/smtp/smtp-mailer.ts';
import { TextSeal } from '../database/sealed-text.ts';
import type { MailSite } from '../features/mail/render.ts';
import { MailService, type MailServiceParts } from '../features/mail/service.ts';
import { MailStore } from '../features/mail/store.ts';
import { NotificationStore } from '../features/notifications/store.ts';
import { SiteStore } from '../features/site/store.ts';
import type { DatabaseParts } from './database.ts';
import type { Surroundings } from './parts.ts';

/** Mail. Where it is off, nothing is written and nothing runs. */
export function composeMail(
  { config, log }: Surroundings,
  { db, work }: DatabaseParts,
  secretKey: string,
): MailService {
  const { smtp, concurrency } = config.mail;
  const site = new SiteStore(db);
  const parts: MailServiceParts = {
    store: new MailStore(db, config.mail),
    mailer: smtp && smtpMailer(smtp),
    seal: new TextSeal(secretKey),
    notifications: new NotificationStore(db),
    wake: (at) => work.sendMailsAt(at),
    site: async (): Promise<MailSite> => ({
      siteName: (await site.read()).name,
      ...{ publicUrl: config.publicUrl ?? '', timeZone: config.schoolTimeZone ?? 'UTC' },
    }),
    ...{ concurrency, log },
  };
  return new MailService(parts);
}
