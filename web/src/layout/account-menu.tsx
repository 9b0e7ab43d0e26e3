import { useNavigate } from '@tanstack/react-router';
import { LogOut, UserRound } from 'lucide-react';
import { session, type User } from '../session/session.ts';
import { languages, useSpoken, useStrings } from '../strings/use-strings.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';
import { useThemeChoice } from './appearance.ts';

/** Who is logged in; theme and language; the way out. */
export function AccountMenu({ user }: { user: User }) {
  const t = useStrings();
  const { language, speak } = useSpoken();
  const [theme, setTheme] = useThemeChoice();
  const navigate = useNavigate();
  return (
    <Menu
      trigger={
        <button type="button" className="flex min-h-10 items-center gap-2 rounded-md px-2 text-sm hover:bg-sunken">
          <Avatar user={user} size={28} />
          <span className="sr-only">{t.common.account}: </span>
          <span className="max-w-32 truncate max-sm:sr-only">{user.full_name || user.username}</span>
        </button>
      }
    >
      <MenuLabel>
        {user.username} · {t.common.roles[user.role]}
      </MenuLabel>
      <MenuItem onSelect={() => void navigate({ to: '/profile' })}>
        <UserRound size={16} aria-hidden="true" /> {t.common.links.profile}
      </MenuItem>
      <MenuLine />
      <MenuLabel>{t.common.theme.label}</MenuLabel>
      <MenuChoice
        value={theme}
        onChange={setTheme}
        options={(['system', 'light', 'dark'] as const).map((value) => ({ value, label: t.common.theme[value] }))}
      />
      <MenuLine />
      <MenuLabel>{t.common.language.label}</MenuLabel>
      <MenuChoice
        value={language}
        onChange={speak}
        options={languages.map((value) => ({ value, label: t.common.language[value] }))}
      />
      <MenuLine />
      <MenuItem onSelect={() => void session.end({ everywhere: true })}>
        <LogOut size={16} aria-hidden="true" /> {t.account.logout}
      </MenuItem>
    </Menu>
  );
}
