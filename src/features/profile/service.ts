import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Static } from 'typebox';
import { NotFoundError, UnauthorizedError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { refuseReservedDomain } from '../../values/email-address.ts';
import { hasPassword } from '../auth/passwords/passwords.ts';
import type { AuthService } from '../auth/service.ts';
import type { AvatarFiles } from './avatar-files.ts';
import type { PictureMaker } from './picture.ts';
import type { ProfileSchema } from './schema.ts';
import type { ProfileChanges, ProfileRow, ProfileStore } from './store.ts';

export type ProfileParts = {
  store: ProfileStore;
  files: AvatarFiles;
  pictures: PictureMaker;
  /** Caches users. Notified of each change, so that the next request sees it. */
  auth: Pick<AuthService, 'forget' | 'requireRecentLogin'>;
  /** Whether users get mail. */
  sendsMail: boolean;
  /** Asks a user to confirm another address. */
  checkAddress: (caller: Caller, network: string) => Promise<void>;
  log: FastifyBaseLogger;
};

export type Profile = Static<typeof ProfileSchema>;

const fileForm = /^([0-9a-f]{40})\.webp$/;
/** A file is written before the database stores its key, so a new file without a user may be about to get one. */
const orphanSeconds = 3600;
const keysAtOnce = 1000;

/** Users' public profiles and pictures. */
export class ProfileService {
  readonly #parts: ProfileParts;

  constructor(parts: ProfileParts) {
    this.#parts = parts;
  }

  /** The maximum size of an uploaded picture in bytes. */
  get maxPictureBytes(): number {
    return this.#parts.pictures.maxBytes;
  }

  async profile(userId: number): Promise<Profile> {
    return toProfile(await this.#parts.store.byId(userId));
  }

  /**
   * An address at a reserved domain stays, and administrators can choose one. Whoever has the address can set a new password by mail.
   * @param network where the request comes from
   * @throws ForbiddenError for another address without a recent login, InvalidError for another address at a reserved domain, BadRequestError when another user has the address
   */
  async update(caller: Caller, changes: ProfileChanges, network: string): Promise<Profile> {
    const { id: userId, role } = caller;
    const before = changes.email === undefined ? undefined : await this.#parts.store.byId(userId);
    const isOther = changes.email?.toLowerCase() !== before?.email.toLowerCase();
    if (changes.email !== undefined && isOther) {
      if (role !== 'admin') refuseReservedDomain(changes.email);
      // Without mail no address gives a way in.
      if (this.#parts.sendsMail || caller.tokenScopes) await this.#parts.auth.requireRecentLogin(caller);
    }
    const changed = await this.#parts.store.update(userId, changes);
    this.#parts.auth.forget(userId);
    if (isOther) await this.#parts.checkAddress(caller, network);
    return toProfile(changed);
  }

  /**
   * On any failure the user has either the old picture or the new one, complete.
   * @param picture the uploaded file
   * @throws ServiceError and InvalidError as `PictureMaker.avatarOf`; UnavailableError when the picture cannot be stored
   */
  async setAvatar(userId: number, picture: Buffer): Promise<Profile> {
    const { pictures, files } = this.#parts;
    const webp = await pictures.avatarOf(picture);
    const key = randomBytes(20).toString('hex');
    await files.write(key, webp);
    try {
      return await this.#replaceKey(userId, key);
    } catch (error) {
      await this.discardAvatar(key);
      throw error;
    }
  }

  async removeAvatar(userId: number): Promise<Profile> {
    return await this.#replaceKey(userId, null);
  }

  /** @param file a picture's name as in `avatar_url`. @throws NotFoundError, UnavailableError */
  async avatar(file: string): Promise<{ key: string; bytes: Buffer }> {
    const key = fileForm.exec(file)?.[1];
    const bytes = key === undefined ? undefined : await this.#parts.files.read(key);
    if (key === undefined || bytes === undefined) throw new NotFoundError('not_found', 'Not Found');
    return { key, bytes };
  }

  /** Removes the picture of a key that no user has any more. Never fails: a leftover file is an orphan, which is removed later. */
  async discardAvatar(key: string | null): Promise<void> {
    if (key === null) return;
    await this.#parts.files
      .remove(key)
      .catch((error: unknown) => this.#parts.log.warn({ err: error }, 'the file of an avatar could not be removed'));
  }

  /** Removes the pictures of no user and no logo: those of deleted users, and leftovers of a crash. @returns how many */
  async removeOrphans(): Promise<number> {
    const { files, store } = this.#parts;
    const keys = await files.listOlderThan(orphanSeconds);
    let removed = 0;
    for (let from = 0; from < keys.length; from += keysAtOnce) {
      const unused = await store.unusedKeys(keys.slice(from, from + keysAtOnce));
      for (const key of unused) await files.remove(key);
      removed += unused.length;
    }
    return removed;
  }

  /** The old file is removed only after the database has the new key. */
  async #replaceKey(userId: number, key: string | null): Promise<Profile> {
    const change = await this.#parts.store.replaceAvatarKey(userId, key);
    this.#parts.auth.forget(userId);
    const profile = toProfile(change?.profile);
    await this.discardAvatar(change?.replaced ?? null);
    return profile;
  }
}

/** @throws UnauthorizedError where the user was deleted after the request had begun */
function toProfile(row: ProfileRow | undefined): Profile {
  if (row === undefined) throw new UnauthorizedError('unauthorized', 'Could not validate credentials');
  const { avatar_key, password_hash, ...profile } = row;
  return {
    ...profile,
    avatar_url: avatar_key === null ? null : `/avatars/${avatar_key}.webp`,
    has_password: hasPassword({ password_hash }),
  };
}
