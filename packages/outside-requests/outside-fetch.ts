import { lookup } from 'node:dns';
import { type IncomingMessage, request as requestOverHttp } from 'node:http';
import { request as requestOverTls } from 'node:https';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';

export type OutsideLimits = {
  /** Addresses of this machine and of its networks are allowed, but no link-local ones, and so is HTTP without TLS. */
  allowsPrivate: boolean;
  /** Of the body of an answer. */
  maxBytes: number;
  /** From the begin of a request to the end of its answer. */
  timeoutMs: number;
};
export type OutsideRequest = {
  method?: string | undefined;
  headers?: Record<string, string> | undefined;
  body?: unknown;
  signal?: AbortSignal | undefined;
};
export type OutsideFetch = (url: string, request?: OutsideRequest) => Promise<Response>;

/** Why a request was not sent, or its answer not read. */
export class OutsideRequestError extends Error {
  readonly problem: 'private' | 'insecure' | 'too_large' | 'timeout' | 'unreachable';

  constructor(problem: OutsideRequestError['problem'], message: string, cause?: unknown) {
    super(message, { cause });
    this.problem = problem;
  }
}

/** IANA's registries of special-purpose addresses. */
const special = new BlockList();
for (const network of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
]) {
  const [address = '', bits] = network.split('/');
  special.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4');
}
/** All public IPv6 addresses are in it; what is mapped or translated to IPv4 is not. */
const unicast = new BlockList();
unicast.addSubnet('2000::', 3, 'ipv6');

/** @param address an IP address */
export const isPublicAddress = (address: string): boolean =>
  isIPv6(address) ? unicast.check(address, 'ipv6') && !special.check(address, 'ipv6') : !special.check(address);

/** No intranet has servers there, but clouds give the credentials of a machine to whoever asks there. */
const linkLocal = new BlockList();
linkLocal.addSubnet('169.254.0.0', 16);
linkLocal.addSubnet('fe80::', 10, 'ipv6');
// The same through NAT64, and the addresses of clouds that are not link-local.
linkLocal.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6');
for (const address of ['100.100.100.200', '168.63.129.16', '192.0.0.192']) linkLocal.addAddress(address);
for (const address of ['fd00:ec2::254', 'fd20:ce::254']) linkLocal.addAddress(address, 'ipv6');

const isAllowed = (address: string, allowsPrivate: boolean): boolean =>
  allowsPrivate ? !linkLocal.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') : isPublicAddress(address);

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Why no request may go there, as far as the address itself says: names are resolved for each request. */
export function problemOfAddress(url: URL, allowsPrivate: boolean): 'insecure' | 'private' | undefined {
  if (url.protocol !== 'https:' && !(allowsPrivate && url.protocol === 'http:')) return 'insecure';
  const host = hostOf(url);
  return isIP(host) !== 0 && !isAllowed(host, allowsPrivate) ? 'private' : undefined;
}

/** @returns a `fetch` that throws OutsideRequestError */
export function outsideFetch({ allowsPrivate, maxBytes, timeoutMs }: OutsideLimits): OutsideFetch {
  return async (address, { method = 'GET', headers = {}, body, signal } = {}) => {
    const url = new URL(address);
    const host = hostOf(url);
    const problem = problemOfAddress(url, allowsPrivate);
    if (problem === 'insecure') throw new OutsideRequestError(problem, `${url.origin} is no address of HTTPS`);
    if (problem === 'private') throw isPrivate(host);
    const timeout = AbortSignal.timeout(timeoutMs);
    const send = url.protocol === 'https:' ? requestOverTls : requestOverHttp;
    const content = body === undefined || body === null ? undefined : Buffer.from(textOf(body));
    try {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const request = send(url, {
          // Of its own: a kept connection of somebody else could lead anywhere.
          agent: false,
          method,
          headers: { ...headers, ...(content && { 'content-length': content.length }) },
          signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
          lookup: lookupOf(allowsPrivate),
        });
        request.on('response', resolve).on('error', reject).end(content);
        // An answer that changes the protocol is neither a response nor an error.
        request.on('close', () => reject(new Error('no answer')));
      });
      const parts: Buffer[] = [];
      let size = 0;
      for await (const part of answer as AsyncIterable<Buffer>) {
        size += part.length;
        if (size > maxBytes) throw new OutsideRequestError('too_large', `${host} answers more than ${maxBytes} bytes`);
        parts.push(part);
      }
      const { statusCode = 502 } = answer;
      const isEmpty = [204, 205, 304].includes(statusCode);
      return new Response(isEmpty ? null : Buffer.concat(parts), { status: statusCode, headers: headersOf(answer) });
    } catch (error) {
      if (error instanceof OutsideRequestError) throw error;
      if (timeout.aborted) throw new OutsideRequestError('timeout', `${host} does not answer in time`, error);
      throw new OutsideRequestError('unreachable', `${host} cannot be reached`, error);
    }
  };
}

/** Addresses in an encoding that the resolver would read differently never get here: `URL` has written them in their usual form. */
const lookupOf =
  (allowsPrivate: boolean): LookupFunction =>
  (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      const hidden = found?.find(({ address }) => !isAllowed(address, allowsPrivate));
      if (error || first === undefined) done(error ?? new Error('no address'), '');
      else if (hidden) done(isPrivate(host), '');
      else if (options.all) done(null, found);
      else done(null, first.address, first.family);
    });
  };

const isPrivate = (host: string) => new OutsideRequestError('private', `${host} has no address that is allowed`);

const textOf = (body: unknown): string | Uint8Array => (body instanceof Uint8Array ? body : String(body));

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  return headers;
}
