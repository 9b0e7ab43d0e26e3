import { createPrivateKey, generateKeyPair as generate, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { type JWTPayload, SignJWT } from 'jose';
import { isNew, type KeyRow, type KeyStore } from './key-store.ts';

const generateKeyPair = promisify(generate);

export type KeyParts = {
  store: KeyStore;
  /** Encrypts secrets. What was sealed for a place cannot be opened for another one. */
  seal: { seal: (text: string, place: string) => Buffer; open: (sealed: Buffer, place: string) => string | undefined };
};

const placeOf = (id: string): string => `lti_keys.sealed_key ${id}`;

/** The keys with which this service signs messages to platforms. The first one is made when one is needed. */
export class Keys {
  readonly #parts: KeyParts;

  constructor(parts: KeyParts) {
    this.#parts = parts;
  }

  /** The public keys, as in RFC 7517. */
  async published(): Promise<{ keys: Record<string, unknown>[] }> {
    return { keys: (await this.#parts.store.all()).map(({ public_key }) => public_key) };
  }

  /** Adds a key, which signs after an hour; until then the one before does. @returns false where the last one is not that old */
  async rotate(): Promise<boolean> {
    const { publicKey, privateKey } = await generateKeyPair('rsa', { modulusLength: 2048 });
    const id = randomUUID();
    const text = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    return await this.#parts.store.add({
      ...{ id, sealed_key: this.#parts.seal.seal(text, placeOf(id)) },
      public_key: { ...publicKey.export({ format: 'jwk' }), kid: id, alg: 'RS256', use: 'sig' },
    });
  }

  /** A signed message that is valid for five minutes. */
  async sign(payload: JWTPayload): Promise<string> {
    const { id, sealed_key } = await this.#signing();
    const text = this.#parts.seal.open(sealed_key, placeOf(id));
    if (text === undefined) throw new Error('The key for LTI was stored with another secret key');
    return await new SignJWT(payload)
      .setProtectedHeader({ alg: 'RS256', kid: id, typ: 'JWT' })
      .setIssuedAt()
      .setExpirationTime('5 minutes')
      .setJti(randomUUID())
      .sign(createPrivateKey(text));
  }

  async #signing(): Promise<KeyRow> {
    const all = await this.#parts.store.all();
    const key = all.find((one) => !isNew(one)) ?? all.at(-1);
    if (key) return key;
    await this.rotate();
    return await this.#signing();
  }
}
