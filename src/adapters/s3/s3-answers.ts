/** What the service reads of the XML answers of S3 (https://docs.aws.amazon.com/AmazonS3/latest/API/). */

export type ListedObject = { name: string; bytes: number; changedAt: Date };
export type ListPage = { objects: ListedObject[]; next: string | undefined };
export type UnfinishedUpload = { name: string; id: string; begunAt: Date };

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|#x([0-9a-fA-F]+)|(\w+));/g, (whole, decimal, hex, name) => {
    if (name) return entities[name] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

export const escapeXml = (text: string): string => text.replaceAll(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

/** The text of the first element of a name. Elements with other elements inside are read with `elements`. */
export function textOf(xml: string, name: string): string | undefined {
  const found = new RegExp(`<${name}(?:\\s[^>]*)?>([^<]*)</${name}>`).exec(xml)?.[1];
  return found === undefined ? undefined : unescapeXml(found);
}

const elements = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, 'g'))].map(([, inside]) => inside ?? '');

/** The stable word of an error, such as `NoSuchKey`. The rest of an error is not read: it can contain parts of the request. */
export function errorCodeOf(xml: string): string | undefined {
  const code = /<Error[\s>]/.test(xml) ? textOf(xml, 'Code') : undefined;
  return code !== undefined && /^[A-Za-z0-9.]{1,100}$/.test(code) ? code : undefined;
}

/** A page of ListObjectsV2. */
export function parseList(xml: string): ListPage {
  const objects = elements(xml, 'Contents').map((entry) => ({
    name: textOf(entry, 'Key') ?? '',
    bytes: Number(textOf(entry, 'Size')),
    changedAt: new Date(textOf(entry, 'LastModified') ?? ''),
  }));
  const isComplete = textOf(xml, 'IsTruncated') !== 'true';
  return { objects, next: isComplete ? undefined : textOf(xml, 'NextContinuationToken') };
}

/** ListMultipartUploads. */
export function parseUploads(xml: string): UnfinishedUpload[] {
  return elements(xml, 'Upload').map((entry) => ({
    name: textOf(entry, 'Key') ?? '',
    id: textOf(entry, 'UploadId') ?? '',
    begunAt: new Date(textOf(entry, 'Initiated') ?? ''),
  }));
}
