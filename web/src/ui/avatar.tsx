import type { User } from '../api/user.ts';

/** A user's picture, or the first letter of their name. It is decorative: the name is beside it. */
export function Avatar({ user, size }: { user: Pick<User, 'username' | 'full_name' | 'avatar_url'>; size: number }) {
  const common = 'shrink-0 rounded-full';
  if (user.avatar_url) return <img src={user.avatar_url} alt="" width={size} height={size} className={common} />;
  return (
    <span
      aria-hidden="true"
      className={`${common} inline-flex items-center justify-center bg-accent font-semibold text-on-accent uppercase`}
      style={{ width: size, height: size, fontSize: size * 0.45 }}
    >
      {(user.full_name || user.username).slice(0, 1)}
    </span>
  );
}
