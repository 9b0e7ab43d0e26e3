import { randomBytes } from 'node:crypto';
import type { Static } from 'typebox';
import { RowCache } from '../../database/processes/cache.ts';
import type { ChangeFeed } from '../../database/processes/change-feed.ts';
import type { Role } from '../../database/tables.ts';
import type { Caller } from '../../http/access/access.ts';
import type { AvatarFiles } from '../profile/avatar-files.ts';
import type { PictureMaker } from '../profile/picture.ts';
import type { ProfileService } from '../profile/service.ts';
import { siteColors } from './colors.ts';
import type { SiteBody, SiteSchema, SiteSettingsSchema } from './schema.ts';
import type { SiteChanges, SiteRow, SiteStore } from './store.ts';

/** A setting of the environment that administrators see beside theirs. */
export type EnvironmentSetting = { name: string; value: string };

export type SiteParts = {
  store: SiteStore;
  feed: ChangeFeed;
  files: AvatarFiles;
  pictures: PictureMaker;
  profiles: Pick<ProfileService, 'discardAvatar'>;
  /** `CATALOGUE_IS_OPEN`: the list of courses is public, whatever administrators set. */
  isCatalogueOpen: boolean;
  courseCreators: Site['course_creators'];
  /** Whether the service sends mail. */
  hasMail: boolean;
  /** Whether users can have passkeys. */
  hasPasskeys: boolean;
  environment: EnvironmentSetting[];
};

/** What everybody sees of the installation. */
export type Site = Static<typeof SiteSchema>;
export type SiteSettings = Static<typeof SiteSettingsSchema>;
export type GivenSettings = Static<typeof SiteBody>;

/** In the order in which they are stored. */
const roles: readonly Role[] = ['student', 'instructor', 'admin'];

type Known = { row: SiteRow; site: Site };

/** How an installation presents itself: name, logo, accent, welcome text and whether its courses are public. */
export class SiteService {
  readonly #parts: SiteParts;
  readonly #cache: RowCache<'site', Known>;
  #last: Known | undefined;

  constructor(parts: SiteParts) {
    this.#parts = parts;
    this.#cache = new RowCache({ feed: parts.feed, channel: 'site_changed', max: 1, keyOf: () => 'site' });
  }

  /** The maximum size of an uploaded logo in bytes. */
  get maxPictureBytes(): number {
    return this.#parts.pictures.maxBytes;
  }

  async site(): Promise<Site> {
    return (await this.#known()).site;
  }

  /** For the document of the pages, which waits for no database: while that is away, what was read last. */
  async lastKnown(): Promise<Site> {
    const known = this.#cache.peek('site') ?? (this.#parts.feed.isLive ? undefined : this.#last);
    if (known) return known.site;
    return await this.site().catch((error: unknown) => {
      if (!this.#last) throw error;
      return this.#last.site;
    });
  }

  async settings(): Promise<SiteSettings> {
    const { row, site } = await this.#known();
    const { environment } = this.#parts;
    const { name: _name, logo_key: _logo, welcome: _welcome, ...others } = row;
    return { ...site, ...others, environment };
  }

  /** An empty name is none. */
  async change(caller: Caller, { name, accent, second_factor_roles, ...rest }: GivenSettings): Promise<SiteSettings> {
    await this.#change(caller, {
      ...rest,
      ...(second_factor_roles && { second_factor_roles: roles.filter((role) => second_factor_roles.includes(role)) }),
      ...(name === undefined ? {} : { name: name?.replaceAll(/\s+/g, ' ').trim() || null }),
      ...(accent === undefined ? {} : { accent: accent?.toLowerCase() ?? null }),
    });
    return await this.settings();
  }

  /**
   * On any failure the installation has either the old logo or the new one, complete.
   * @throws ServiceError and InvalidError as `PictureMaker.logoOf`; UnavailableError when the picture cannot be stored
   */
  async setLogo(caller: Caller, picture: Buffer): Promise<SiteSettings> {
    const { pictures, files, profiles } = this.#parts;
    const webp = await pictures.logoOf(picture);
    const logo_key = randomBytes(20).toString('hex');
    await files.write(logo_key, webp);
    try {
      await this.#change(caller, { logo_key });
    } catch (error) {
      await profiles.discardAvatar(logo_key);
      throw error;
    }
    return await this.settings();
  }

  /** Succeeds where there is none. */
  async removeLogo(caller: Caller): Promise<SiteSettings> {
    await this.#change(caller, { logo_key: null });
    return await this.settings();
  }

  /** The old file is removed only after the database has the new key. */
  async #change(caller: Caller, changes: SiteChanges): Promise<void> {
    const { store, profiles } = this.#parts;
    const before = await store.change(caller.id, changes);
    this.#cache.forget();
    if (changes.logo_key !== undefined && changes.logo_key !== before.logo_key)
      await profiles.discardAvatar(before.logo_key);
  }

  async #known(): Promise<Known> {
    const known = await this.#cache.get('site', async () => this.#toKnown(await this.#parts.store.read()));
    this.#last = known;
    return known;
  }

  #toKnown(row: SiteRow): Known {
    const { name, logo_key, accent, welcome, has_public_courses } = row;
    const site = {
      ...{ name, welcome },
      logo_url: logo_key === null ? null : `/avatars/${logo_key}.webp`,
      colors: accent === null ? null : siteColors(accent),
      has_public_courses: has_public_courses || this.#parts.isCatalogueOpen,
      course_creators: this.#parts.courseCreators,
      has_mail: this.#parts.hasMail,
      has_passkeys: this.#parts.hasPasskeys,
    };
    return { row, site };
  }
}
