import { lazy, Suspense, useRef, useState } from 'react';
import { neededPart } from '../routing/needed-part.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { type Profile, removeAvatar, useProfileChange } from './queries.ts';
import { TitledCard } from './titled-card.tsx';

const CropDialog = lazy(() => neededPart(async () => (await import('./crop-dialog.tsx')).CropDialog));

/** The user's picture: show, choose, remove. */
export function AvatarCard({ profile }: { profile: Profile }) {
  const words = useStrings().profile.avatar;
  const toasts = useToasts();
  const change = useProfileChange();
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File>();
  const [isRemoving, setRemoving] = useState(false);
  return (
    <TitledCard title={words.title}>
      <div className="flex flex-wrap items-center gap-5">
        <Avatar user={profile} size={96} />
        <div className="flex min-w-0 flex-1 basis-60 flex-col gap-3">
          <p className="text-sm text-ink-soft">{words.help}</p>
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => input.current?.click()}>{profile.avatar_url ? words.change : words.choose}</Button>
            {profile.avatar_url && (
              <Button look="quiet" onClick={() => setRemoving(true)}>
                {words.remove}
              </Button>
            )}
          </div>
          <input
            ref={input}
            type="file"
            hidden
            accept="image/png,image/jpeg,image/webp,image/gif"
            aria-label={words.choose}
            onChange={(event) => {
              setFile(event.target.files?.[0]);
              // Allows the same file to be chosen again.
              event.target.value = '';
            }}
          />
        </div>
      </div>
      {file && (
        <Suspense fallback={null}>
          <CropDialog file={file} onClose={() => setFile(undefined)} />
        </Suspense>
      )}
      <Confirm
        title={words.removeTitle}
        action={words.remove}
        isOpen={isRemoving}
        onOpenChange={setRemoving}
        onConfirm={async () => {
          change(await removeAvatar());
          toasts.done(words.removed);
        }}
      >
        <p>{words.removeHelp}</p>
      </Confirm>
    </TitledCard>
  );
}
