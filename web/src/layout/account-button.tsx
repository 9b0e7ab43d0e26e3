import type { ButtonHTMLAttributes, Ref } from 'react';
import type { User } from '../api/user.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Avatar } from '../ui/avatar.tsx';

/** The name of the user, and the button of the account menu. */
export function AccountButton({
  user,
  ...rest
}: { user: User; ref?: Ref<HTMLButtonElement> } & ButtonHTMLAttributes<HTMLButtonElement>) {
  const t = useStrings();
  return (
    <button
      type="button"
      aria-haspopup="menu"
      {...rest}
      className="flex min-h-10 items-center gap-2 rounded-md px-2 text-sm hover:bg-sunken"
    >
      <Avatar user={user} size={28} />
      <span className="sr-only">{t.common.account}: </span>
      <span className="max-w-32 truncate max-sm:sr-only">{user.full_name || user.username}</span>
    </button>
  );
}
