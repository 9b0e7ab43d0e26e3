import { useMutation } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import Cropper, { type Area } from 'react-easy-crop';
import { useStrings } from '../strings/use-strings.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/forms/field.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { uploadAvatar, useProfileChange } from './queries.ts';

/** Selects the visible part of a picture by pointer, touch or keys, and uploads it. */
export function CropDialog({ file, onClose }: { file: File; onClose: () => void }) {
  const t = useStrings();
  const words = t.profile.avatar;
  const toasts = useToasts();
  const change = useProfileChange();
  const url = useFileUrl(file);
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [rotation, setRotation] = useState(0);
  const [area, setArea] = useState<Area>();
  const [isUnreadable, setUnreadable] = useState(false);
  const upload = useMutation({
    mutationFn: async (chosen: Area) => uploadAvatar(await cropPicture(file, chosen, rotation)),
    onSuccess: (profile) => {
      change(profile);
      toasts.done(words.saved);
      onClose();
    },
  });
  return (
    <Dialog title={words.cropTitle} description={words.cropHelp} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <div className="flex flex-col gap-4">
        {isUnreadable ? (
          <p role="alert" className="rounded-md border border-bad bg-bad-soft px-4 py-3 text-sm">
            {words.unreadable}
          </p>
        ) : (
          <>
            <div className="relative h-72 overflow-hidden rounded-md bg-sunken">
              {url && (
                <Cropper
                  image={url}
                  {...{ crop, zoom, rotation }}
                  aspect={1}
                  cropShape="round"
                  showGrid={false}
                  keyboardStep={8}
                  onCropChange={setCrop}
                  onZoomChange={setZoom}
                  onCropComplete={(_percent, pixels) => setArea(pixels)}
                  mediaProps={{ alt: '', onError: () => setUnreadable(true) }}
                  cropperProps={{ role: 'group', 'aria-label': words.cropArea }}
                />
              )}
            </div>
            <div className="flex items-end gap-3">
              <div className="flex-1">
                <Field label={words.zoom}>
                  {(control) => (
                    <input
                      {...control}
                      type="range"
                      min={1}
                      max={3}
                      step={0.05}
                      value={zoom}
                      onChange={(event) => setZoom(Number(event.target.value))}
                      className="w-full accent-accent"
                    />
                  )}
                </Field>
              </div>
              <IconButton label={words.turnBy} onClick={() => setRotation((rotation + 90) % 360)}>
                <RotateCw size={18} aria-hidden="true" />
              </IconButton>
            </div>
          </>
        )}
        {upload.error && <ProblemNote error={upload.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t.common.cancel}</Button>
          {!isUnreadable && (
            <Button
              look="primary"
              disabled={!area}
              isBusy={upload.isPending}
              onClick={() => area && upload.mutate(area)}
            >
              {words.upload}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

function useFileUrl(file: File): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}

/** Pixels of each side: twice the size that the service stores. */
const size = 512;

/**
 * Crops a square from a picture.
 * @param area in pixels of the picture after the rotation
 * @param degrees clockwise, a multiple of 90
 */
async function cropPicture(
  file: Blob,
  area: { x: number; y: number; width: number; height: number },
  degrees: number,
): Promise<Blob> {
  // Upright, as the browser shows it, regardless of the camera's orientation.
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const isSideways = degrees % 180 !== 0;
  const turned = isSideways
    ? { width: picture.height, height: picture.width }
    : { width: picture.width, height: picture.height };
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: size, height: size });
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser has no canvas');
  context.imageSmoothingQuality = 'high';
  context.scale(size / area.width, size / area.height);
  context.translate(turned.width / 2 - area.x, turned.height / 2 - area.y);
  context.rotate((degrees * Math.PI) / 180);
  context.drawImage(picture, -picture.width / 2, -picture.height / 2);
  picture.close();
  return await new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture cannot be written'))), 'image/png'),
  );
}
