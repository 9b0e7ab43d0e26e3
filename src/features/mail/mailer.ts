/** One mail as it is sent. Texts may have any characters: who sends them encodes them. */
export type OutgoingMail = {
  /** The same for each attempt, so that who gets a mail twice sees one. */
  id: string;
  senderName: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
};

/** The mail server has not taken a mail. */
export class MailRefusedError extends Error {
  override name = 'MailRefusedError';
  /** Whether a later attempt would be refused as well. */
  readonly isPermanent: boolean;

  /** @param answer of the server, or why it could not be reached; without secrets */
  constructor(answer: string, isPermanent: boolean) {
    super(answer);
    this.isPermanent = isPermanent;
  }
}

/** Hands mails to a mail server. */
export type Mailer = {
  /** @returns the server's answer @throws MailRefusedError */
  send: (mail: OutgoingMail) => Promise<string>;
};
