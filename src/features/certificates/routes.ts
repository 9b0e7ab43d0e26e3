import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { BadRequestError } from '../../errors.ts';
import { callerOf } from '../../http/access/access.ts';
import { readPage } from '../../http/lists/paging.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors } from '../../http/protocol/schemas.ts';
import {
  CertificateParams,
  CertificateSchema,
  IssuerSchema,
  ListQuery,
  NewCertificate,
  OwnCertificateSchema,
  PdfQuery,
  StatusListParams,
} from './schema.ts';
import type { CertificateService } from './service.ts';

const tags = ['profile'];
/** Also for the pages of other sites, which verify credentials in the browser. */
const onRequest = async (_request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  reply.header('Access-Control-Allow-Origin', '*').removeHeader('Access-Control-Allow-Credentials');
};

/** @param publicUrl the address of the service. Undefined: that of each request */
export const certificateRoutes =
  (certificates: CertificateService, publicUrl: string | undefined): FastifyPluginAsyncTypebox =>
  async (app) => {
    const originOf = ({ protocol, host }: FastifyRequest): string => {
      const origin = publicUrl ?? `${protocol}://${host}`;
      if (!URL.canParse(origin)) throw new BadRequestError('bad_request', 'The host of the request is no address');
      return origin;
    };

    app.get('/api/profile/certificates', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "The caller's certificates, and those that the caller can create",
        description:
          'First those that can be created: of exams and courses with `has_certificate` that the caller has passed, once the results are shown, or finished (all lessons completed, all laboratories passed).',
        querystring: ListQuery,
        response: { 200: Type.Array(OwnCertificateSchema), ...errors(401) },
      },
      handler: async (request, reply) =>
        await readPage(request, reply, (page) => certificates.list(callerOf(request), page)),
    });

    app.post('/api/profile/certificates', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Create a certificate',
        description:
          'From then on anybody with its id can read it at `/verify/{certificate}`, with the name and nothing else about its holder. It is withdrawn when the grade falls below passing, or when the attempt or the account is deleted; who passes again creates another one. 409 `no_certificate` where the caller has not earned one, or has one.',
        body: NewCertificate,
        response: { 201: CertificateSchema, ...errors(401, 409, 415) },
      },
      handler: async (request, reply) =>
        reply.code(201).send(await certificates.create(callerOf(request), request.body)),
    });

    app.delete('/api/profile/certificates/:certificate', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Delete a certificate',
        description: 'Nobody can read it any more. The caller can create another one, with another name.',
        params: CertificateParams,
        response: { 200: Done, ...errors(401, 404) },
      },
      handler: async (request) =>
        await done(certificates.delete(callerOf(request), request.params.certificate), 'Certificate deleted'),
    });

    app.get('/api/profile/certificates/:certificate/pdf', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Download a certificate as PDF',
        description: '409 `certificate_withdrawn` once it is withdrawn.',
        params: CertificateParams,
        querystring: PdfQuery,
        response: {
          200: {
            description: 'One page.',
            content: { 'application/pdf': { schema: Type.String({ format: 'binary' }) } },
          },
          ...errors(401, 404, 409, 503),
        },
      },
      handler: async (request, reply) => {
        const { certificate: id } = request.params;
        const { language = 'en' } = request.query;
        const pdf = await certificates.pdf(callerOf(request), id, language, originOf(request));
        reply.header('Content-Disposition', `attachment; filename="certificate-${id}.pdf"`).type('application/pdf');
        return reply.send(Buffer.from(pdf) as unknown as string);
      },
    });

    app.get('/api/profile/certificates/:certificate/credential', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Download a certificate as a credential of Open Badges 3.0',
        description:
          'A Verifiable Credential as a JSON Web Token, signed with Ed25519 (`EdDSA`). `GET /.well-known/did.json` has the key. 409 `certificate_withdrawn` once it is withdrawn.',
        params: CertificateParams,
        response: {
          200: { description: 'A compact JWS.', content: { 'application/jwt': { schema: Type.String() } } },
          ...errors(400, 401, 404, 409),
        },
      },
      handler: async (request, reply) => {
        const { certificate: id } = request.params;
        const credential = await certificates.credential(callerOf(request), id, originOf(request));
        reply.header('Content-Disposition', `attachment; filename="certificate-${id}.jwt"`).type('application/jwt');
        return reply.send(credential);
      },
    });

    app.get('/api/certificates/:certificate', {
      onRequest,
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'A certificate, for anybody who wants to verify it',
        description: 'Whether it is valid, and what is on it. A deleted one is 404.',
        params: CertificateParams,
        response: { 200: CertificateSchema, ...errors(404) },
      },
      handler: (request) => certificates.read(request.params.certificate),
    });

    app.get('/api/certificates/status/:list', {
      onRequest,
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Which certificates are withdrawn, for programs that verify credentials',
        description:
          'A Bitstring Status List (W3C, version 1.0) as a JSON Web Token, signed as the credentials are: each has its place in `credentialStatus`. A deleted certificate counts as withdrawn. Clients may keep it for five minutes.',
        params: StatusListParams,
        response: {
          200: { description: 'A compact JWS.', content: { 'application/vc+jwt': { schema: Type.String() } } },
          ...errors(400),
        },
      },
      handler: async (request, reply) => {
        const list = await certificates.statusList(request.params.list, originOf(request));
        return reply.header('Cache-Control', 'public, max-age=300').type('application/vc+jwt').send(list);
      },
    });

    app.get('/.well-known/did.json', {
      onRequest,
      config: { access: 'public' },
      schema: {
        tags: ['system'],
        summary: 'The issuer of the credentials, with the key that verifies them',
        description: 'A document of `did:web`.',
        response: { 200: IssuerSchema, ...errors(400) },
      },
      handler: (request) => certificates.issuerDocument(originOf(request)),
    });
  };
