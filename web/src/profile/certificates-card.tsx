import { useQuery } from '@tanstack/react-query';
import { CertificateRow, certificatesQuery } from '../attempts/certificates.tsx';
import { useStrings } from '../strings/use-strings.tsx';
import { TitledCard } from './titled-card.tsx';

/** The user's certificates. Nothing where there are none. */
export function CertificatesCard() {
  const { certificates: words } = useStrings();
  const { data = [] } = useQuery(certificatesQuery);
  if (data.length === 0) return null;
  return (
    <TitledCard title={words.title}>
      <p className="text-sm text-ink-soft">{words.lead}</p>
      <ul className="flex flex-col gap-2">
        {data.map((certificate) => (
          <CertificateRow
            key={certificate.id ?? `${certificate.kind} ${certificate.part_id}`}
            certificate={certificate}
          />
        ))}
      </ul>
    </TitledCard>
  );
}
