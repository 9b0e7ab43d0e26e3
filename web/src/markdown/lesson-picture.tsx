import { useQuery } from '@tanstack/react-query';
import { ExternalLink, ImageOff } from 'lucide-react';
import { useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { useDoor } from '../teaching-model/door.ts';
import { Skeleton } from '../ui/states.tsx';
import { fileQuery, useBlobUrl } from './file-query.ts';
import { referenceOf, type Source } from './parsing/references.ts';

type Props = {
  url: string;
  alt: string;
  /** Undefined for a text without files beside it. */
  source: Source | undefined;
  width?: string | number | undefined;
  height?: string | number | undefined;
};

/** Characters of a picture in the text itself. Larger ones belong into files. */
const maxEmbedded = 100_000;
/** Formats without scripts and links. */
const embeddedPicture = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/]+={0,2}$/;

/**
 * A picture of a lesson. Pictures of the repository are shown, because a picture runs no script, not even an SVG. Those of other sites are
 * links.
 */
export function LessonPicture({ url, alt, source, ...size }: Props) {
  const t = useStrings();
  if (url.startsWith('data:')) {
    const isShown = url.length <= maxEmbedded && embeddedPicture.test(url);
    return isShown ? <img src={url} alt={alt} {...size} /> : <MissingPicture alt={alt} />;
  }
  const reference = referenceOf(url, source ?? { path: '' });
  if (reference.kind === 'file' && source)
    return <RepositoryPicture alt={alt} file={reference.relative} {...{ source, size }} />;
  if (reference.kind !== 'outside') return <MissingPicture alt={alt} />;
  return (
    <a href={reference.url} target="_blank" rel="noopener noreferrer">
      {t.markdown.pictureElsewhere(alt)} <ExternalLink size={14} className="inline" aria-hidden="true" />
      <span className="sr-only"> ({t.markdown.newTab})</span>
    </a>
  );
}

function RepositoryPicture({
  file,
  alt,
  source,
  size,
}: Pick<Props, 'alt'> & { source: Source; file: string; size: Pick<Props, 'width' | 'height'> }) {
  const query = useQuery(fileQuery(useDoor(), source, file));
  const url = useBlobUrl(query.data);
  const [isBroken, setBroken] = useState(false);
  if (query.error || isBroken) return <MissingPicture alt={alt} />;
  if (!url) {
    return (
      <span className="block">
        <Skeleton className="h-48" />
      </span>
    );
  }
  return <img src={url} alt={alt} {...size} onError={() => setBroken(true)} />;
}

function MissingPicture({ alt }: { alt: string }) {
  const t = useStrings();
  return (
    <span className="flex items-center gap-2 rounded-md border border-dashed border-line-strong px-4 py-3 text-sm text-ink-soft">
      <ImageOff size={18} className="shrink-0" aria-hidden="true" /> {t.markdown.pictureMissing(alt)}
    </span>
  );
}
