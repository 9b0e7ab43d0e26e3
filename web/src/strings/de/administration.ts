import type { Strings } from '../en/index.ts';
import { activity } from './administration/activity.ts';
import { containers } from './administration/containers.ts';
import { deletions } from './administration/deletions.ts';
import { identityProviders } from './administration/identity-providers.ts';
import { lists } from './administration/lists.ts';
import { ltiPlatforms } from './administration/lti-platforms.ts';
import { mails } from './administration/mails.ts';
import { registrationCodes } from './administration/registration-codes.ts';
import { serviceAccounts } from './administration/service-accounts.ts';
import { settings } from './administration/settings.ts';
import { system } from './administration/system.ts';
import { templates } from './administration/templates.ts';
import { users } from './administration/users.ts';
import { webhooks } from './administration/webhooks.ts';

export const administration: Strings['administration'] = {
  ...lists,
  ...users,
  ...registrationCodes,
  ...identityProviders,
  ...ltiPlatforms,
  ...deletions,
  ...mails,
  ...webhooks,
  ...serviceAccounts,
  ...templates,
  ...containers,
  ...activity,
  ...settings,
  ...system,
};
