import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type SmtpPlace, smtpMailer } from '../../src/adapters/smtp/smtp-mailer.ts';
import { MailRefusedError } from '../../src/features/mail/mailer.ts';
import { freePort } from '../free-port.ts';
import { MailServer, newCertificate } from '../mail-server.ts';

const mail = {
  ...{ id: '1.2', senderName: 'Schule "Ü"', recipient: 'zoe@example.com' },
  ...{ subject: 'Ergebnisse: Prüfung', text: 'Grüße\n', html: '<p>Grüße</p>' },
};
const users = { school: 'a secret' };
const login = { user: 'school', password: 'a secret' };

describe('sending by SMTP', { timeout: 600_000 }, () => {
  const placeOf = (port: number, more: Partial<SmtpPlace>): SmtpPlace => ({
    ...{ host: 'localhost', port, tls: 'none', user: undefined, password: undefined, sender: 'noreply@school.example' },
    ...more,
  });
  async function refusal(place: SmtpPlace): Promise<MailRefusedError> {
    const error = await smtpMailer(place)
      .send(mail)
      .then(
        () => assert.fail('it was sent'),
        (caught: unknown) => caught,
      );
    assert.ok(error instanceof MailRefusedError, String(error));
    return error;
  }

  it('logs in over TLS, from the first byte and by STARTTLS, and nowhere else', async () => {
    const { key, cert } = await newCertificate();
    for (const tls of ['implicit', 'starttls'] as const) {
      const options = { secure: tls === 'implicit', key, cert, disabledCommands: [] };
      await using server = await MailServer.listen(0, options, users);
      const place = placeOf(server.port, { ...login, tls, ca: cert });
      assert.match(await smtpMailer(place).send(mail), /^250 .*queued as test$/);
      assert.equal(server.mails.length, 1);
      const { ca: _, ...unknown } = place;
      const refused = await refusal(unknown);
      assert.match(refused.message, /self.signed/i);
      assert.equal(refused.isPermanent, false);
      assert.equal(server.mails.length, 1);
    }
    await using plain = await MailServer.listen(0, {}, users);
    // The server offers no TLS: nothing is sent in the clear.
    await refusal(placeOf(plain.port, { ...login, tls: 'starttls', ca: cert }));
    await refusal(placeOf(plain.port, { ...login, tls: 'implicit', ca: cert }));
    assert.equal(plain.mails.length, 0);
  });

  it('waits after a refused login, and never repeats the password', async () => {
    await using server = await MailServer.listen(0, { allowInsecureAuth: true }, users);
    const wrong = await refusal(placeOf(server.port, { user: 'school', password: 'the wrong one' }));
    assert.equal(wrong.isPermanent, false);
    assert.match(wrong.message, /535 .*No entry for school with \*\*\*/);
    assert.match((await refusal(placeOf(server.port, {}))).message, /530|authentication/i);
  });

  it('tells what is refused for now from what is refused for good', async () => {
    await using server = await MailServer.listen();
    const place = placeOf(server.port, {});
    server.refusals = [
      { code: 450, message: '4.2.0 Greylisted' },
      { code: 550, message: '5.1.1 Unknown user' },
    ];
    assert.deepEqual([(await refusal(place)).isPermanent, (await refusal(place)).isPermanent], [false, true]);
    assert.match((await refusal({ ...place, port: await freePort() })).message, /ECONNREFUSED/);
    await smtpMailer(place).send(mail);
    const [sent] = server.mails;
    assert.equal(sent?.subject, mail.subject);
    assert.deepEqual([sent?.text.trim(), sent?.html.trim()], ['Grüße', mail.html]);
    assert.deepEqual(sent?.headers.get('message-id'), ['<1.2@school.example>']);
    assert.deepEqual(sent?.headers.get('auto-submitted'), ['auto-generated']);
  });

  it('lets no line end into a header, and reads no address as several', async () => {
    await using server = await MailServer.listen();
    const place = placeOf(server.port, {});
    const evil = 'x\r\nBcc: victim@example.com\r\n\r\nBody';
    await smtpMailer(place).send({ ...mail, subject: evil, senderName: evil });
    const [sent] = server.mails;
    assert.deepEqual(sent?.recipients, [mail.recipient]);
    assert.deepEqual([sent?.headers.get('bcc'), sent?.headers.get('subject')?.length], [undefined, 1]);
    const addresses = ['a@example.com, victim@example.com', 'a@example.com>\r\nRCPT TO:<victim@example.com'];
    for (const recipient of addresses) {
      await smtpMailer(place)
        .send({ ...mail, recipient })
        .catch(() => undefined);
    }
    assert.ok(server.mails.every(({ recipients }) => !recipients.includes('victim@example.com')));
  });
});
