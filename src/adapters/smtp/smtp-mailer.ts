import { createTransport } from 'nodemailer';
import { type Mailer, MailRefusedError, type OutgoingMail } from '../../features/mail/mailer.ts';
import { isEmail } from '../../values/email-address.ts';

export type SmtpPlace = {
  host: string;
  port: number;
  tls: 'implicit' | 'starttls' | 'none';
  user: string | undefined;
  password: string | undefined;
  sender: string;
  /** Certificates of authorities in place of the known ones, as PEM. */
  ca?: string;
};

/** A server that answers later than this is taken for one that does not. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 };
/** Characters of an answer that are kept. */
const maxAnswer = 500;

/** What the library says of a failure. */
type SmtpFailure = Error & { code?: string; response?: string; responseCode?: number };

/** Sends each mail over a connection of its own, so nothing is held while there are none. */
export function smtpMailer({ host, port, tls, user, password = '', sender, ca }: SmtpPlace): Mailer {
  const transport = createTransport({
    ...{ host, port, secure: tls === 'implicit', requireTLS: tls === 'starttls', ignoreTLS: tls === 'none' },
    ...(user === undefined ? {} : { auth: { user, pass: password } }),
    ...(ca === undefined ? {} : { tls: { ca } }),
    ...timeouts,
    // What a user has written never makes the service read a file or a page.
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  const shown = (answer: string): string =>
    (password === '' ? answer : answer.replaceAll(password, '***')).replaceAll(/\s+/g, ' ').trim().slice(0, maxAnswer);
  return {
    send: async ({ id, senderName, recipient, subject, text, html }: OutgoingMail): Promise<string> => {
      // The library reads a list of addresses from one text, in the envelope as well.
      if (!isEmail(recipient)) throw new MailRefusedError('The address of the recipient is not valid', true);
      try {
        const { response } = await transport.sendMail({
          ...{ from: { name: senderName, address: sender }, to: { name: '', address: recipient } },
          envelope: { from: sender, to: [recipient] },
          messageId: `<${id}@${sender.slice(sender.lastIndexOf('@') + 1)}>`,
          // Nobody's absence note answers a machine.
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
          ...{ subject, text, html },
        });
        return shown(response);
      } catch (error) {
        const { code, response, responseCode, message } = error as SmtpFailure;
        // A refused login or certificate is no fault of the mail: it waits until an operator has seen to it.
        const isOfMail = code === 'EENVELOPE' || code === 'EMESSAGE';
        const isPermanent = isOfMail && (responseCode === undefined || responseCode >= 500);
        throw new MailRefusedError(shown(response ?? message), isPermanent);
      }
    },
  };
}
