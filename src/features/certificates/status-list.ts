import { gzipSync } from 'node:zlib';
import { statusesOfList } from '../../values/certificate-lists.ts';

export const listAddress = (origin: string, list: number): string => `${origin}/api/certificates/status/${list}`;

/** Where the status of a certificate is found: https://www.w3.org/TR/vc-bitstring-status-list/#bitstringstatuslistentry */
export function statusEntry(origin: string, status_index: number) {
  const list = listAddress(origin, Math.floor(status_index / statusesOfList));
  const index = `${status_index % statusesOfList}`;
  return {
    ...{ id: `${list}#${index}`, type: 'BitstringStatusListEntry', statusPurpose: 'revocation' },
    ...{ statusListIndex: index, statusListCredential: list },
  };
}

/**
 * https://www.w3.org/TR/vc-bitstring-status-list/#bitstringstatuslistcredential
 * @param withdrawn indexes of certificates in this list
 */
export function statusList(origin: string, list: number, withdrawn: readonly number[]) {
  const bits = Buffer.alloc(statusesOfList / 8);
  for (const index of withdrawn) {
    const place = index % statusesOfList;
    // The first is the leftmost bit of the first byte.
    bits.writeUInt8(bits.readUInt8(place >> 3) | (0x80 >> (place & 7)), place >> 3);
  }
  const id = listAddress(origin, list);
  const encodedList = `u${gzipSync(bits).toString('base64url')}`;
  return {
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    id,
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    credentialSubject: { id: `${id}#list`, type: 'BitstringStatusList', statusPurpose: 'revocation', encodedList },
  };
}
