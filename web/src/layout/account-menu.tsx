import { LogOut, UserRound } from 'lucide-react';
import { session } from '../api/session.ts';
import type { User } from '../api/user.ts';
import { navigate } from '../routing/router.ts';
import { languages } from '../strings/load-strings.ts';
import { useSpoken, useStrings } from '../strings/use-strings.tsx';
import { colorSchemes, useColorScheme } from '../ui/color-scheme.ts';
import { optionsOf } from '../ui/forms/field.tsx';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';
import { AccountButton } from './account-button.tsx';

/** Theme, language, profile and logout. It is open when it mounts, because it is loaded on the user's request. */
export function AccountMenu({ user }: { user: User }) {
  const t = useStrings();
  const { language, speak } = useSpoken();
  const [scheme, setScheme] = useColorScheme();
  return (
    <Menu isOpenAtFirst trigger={<AccountButton user={user} />}>
      <MenuLabel>
        {user.username} · {t.common.roles[user.role]}
      </MenuLabel>
      <MenuItem onSelect={() => navigate({ to: '/profile' })}>
        <UserRound size={16} aria-hidden="true" /> {t.common.links.profile}
      </MenuItem>
      <MenuLine />
      <MenuLabel>{t.common.colorScheme.label}</MenuLabel>
      <MenuChoice value={scheme} onChange={setScheme} options={optionsOf(colorSchemes, t.common.colorScheme)} />
      <MenuLine />
      <MenuLabel>{t.common.language.label}</MenuLabel>
      <MenuChoice value={language} onChange={speak} options={optionsOf(languages, t.common.language)} />
      <MenuLine />
      <MenuItem onSelect={() => void session.end({ everywhere: true })}>
        <LogOut size={16} aria-hidden="true" /> {t.account.logout}
      </MenuItem>
    </Menu>
  );
}
