import { isEmail } from '../values/email-address.ts';
import type { EnvReader } from './env-reader.ts';
import type { Tuning } from './tuning.ts';

export type SmtpPlace = {
  host: string;
  port: number;
  /** `implicit`: from the first byte; `starttls`: required before anything else; `none`: in the clear. */
  tls: 'implicit' | 'starttls' | 'none';
  user: string | undefined;
  /** Never logged or shown. */
  password: string | undefined;
  /** The address of the sender. */
  sender: string;
};

/** Mail. Undefined `smtp`: it is off. */
export function readMail(env: EnvReader, tuning: Tuning) {
  env.part = 'Mail';
  return {
    mail: {
      smtp: readSmtp(env),
      language: env.oneOf('MAIL_LANGUAGE', 'en', ['en', 'de', 'ru'], {
        about: 'language of mails to users who have not logged in yet; others get them in that of their last login',
      }),
      /** Milliseconds between two searches for what is to be sent. */
      interval: 1000 * tuning.mailRoundSeconds,
      delaySeconds: tuning.mailDelaySeconds,
      retrySeconds: tuning.mailRetrySeconds,
      maxPerHour: tuning.maxMailsPerHour,
      /** Connections to the mail server at once, of one process. */
      concurrency: 3,
    },
  };
}

function readSmtp(env: EnvReader): SmtpPlace | undefined {
  const address = env.optional(
    'SMTP_URL',
    {
      usually: 'mail is off',
      about:
        'mail server that takes [mail](operating.md#mail): `smtps://user@host:465` with TLS, `smtp://user@host:587` with STARTTLS, `smtp://host:25?tls=none` without; needs `MAIL_SENDER` and `PUBLIC_URL`',
    },
    'an address of SMTP',
  );
  const password = env.secret('SMTP_PASSWORD', { about: 'password of its user' });
  const sender = env.optional('MAIL_SENDER', { about: 'address of the sender, such as `noreply@school.example.com`' });
  if (sender !== undefined && !isEmail(sender)) env.problems.push('MAIL_SENDER takes one e-mail address');
  if (address === undefined) return undefined;
  if (sender === undefined) env.problems.push('SMTP_URL is set, but MAIL_SENDER is not');
  if (env.given('PUBLIC_URL') === undefined)
    env.problems.push('SMTP_URL takes PUBLIC_URL besides it: the links in mails begin with it');
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain = url?.search === '?tls=none';
  if (
    !url ||
    !/^smtps?:$/.test(url.protocol) ||
    url.hostname === '' ||
    !/^\/?$/.test(url.pathname) ||
    url.hash !== '' ||
    (url.search !== '' && !(isPlain && url.protocol === 'smtp:'))
  ) {
    env.problems.push('SMTP_URL takes smtps://user@host:465, smtp://user@host:587 or smtp://host:25?tls=none');
    return undefined;
  }
  if (url.password !== '') env.problems.push('SMTP_URL takes no password: SMTP_PASSWORD has it');
  const user = decodeURIComponent(url.username) || undefined;
  if ((user === undefined) !== (password === undefined))
    env.problems.push('SMTP_PASSWORD is set together with a user in SMTP_URL');
  const tls = url.protocol === 'smtps:' ? 'implicit' : isPlain ? 'none' : 'starttls';
  const port = url.port === '' ? { implicit: 465, starttls: 587, none: 25 }[tls] : Number(url.port);
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port, tls, user, password, sender: sender ?? '' };
}
