import type { User } from '../api/user.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Confirm } from '../ui/dialog.tsx';

/** Shown where somebody has logged in as another user in another tab. This page still acts as its own user, until it is loaded again. */
export function ReplacedDialog({ user: { username, full_name }, onStay }: { user: User; onStay: () => void }) {
  const t = useStrings();
  const name = full_name || username;
  return (
    <Confirm
      title={t.account.replacedTitle}
      action={t.account.replacedSwitch}
      isOpen
      onOpenChange={(isOpen) => isOpen || onStay()}
      onConfirm={async () => location.assign('/')}
    >
      <p>{t.account.replacedLead(name)}</p>
    </Confirm>
  );
}
