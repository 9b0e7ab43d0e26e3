import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent, type RequestOptions, request as secureRequest } from 'node:https';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { KubeConfig } from '@kubernetes/client-node';
import { readAtMost } from '../engine/bounded-output.ts';
import { ApiError, failureOf } from './failures.ts';

export type ClusterPlace = {
  /** A kubeconfig file. Undefined: `~/.kube/config`, or the service account of the service's own Pod. */
  kubeconfig?: string | undefined;
  /** Undefined: the namespace of the kubeconfig's context or of the service's own Pod. */
  namespace?: string | undefined;
};

export type Call = {
  query?: Record<string, string>;
  body?: unknown;
  contentType?: string;
  signal?: AbortSignal;
};

/** Maximum bytes of an answer. A page of a list has 500 objects of a few KiB. */
const answerLimit = 64 * 1024 * 1024;
/** Maximum repetitions of a request that the API server refused because it is busy, and the longest pause before one. */
const retries = { count: 3, longest: 5 };

/** The API server of a cluster: requests, watches and the addresses of WebSockets, with the credentials of a kubeconfig. */
export class Cluster implements Disposable {
  readonly namespace: string;
  readonly server: string;
  readonly #config: KubeConfig;
  readonly #agent: Agent | PlainAgent;
  readonly #hasProxy: boolean;
  /** Requests since the start, WebSockets included. */
  requests = 0;

  constructor(config: KubeConfig, namespace: string | undefined) {
    const cluster = config.getCurrentCluster();
    // What the client assumes if it finds no configuration at all.
    if (!cluster || cluster.server === 'http://localhost:8080') {
      throw new Error('There is no cluster: set KUBECONFIG, or run the service in a Pod with a service account');
    }
    this.#config = config;
    this.server = cluster.server.replace(/\/$/, '');
    this.namespace = namespace ?? config.getContextObject(config.getCurrentContext())?.namespace ?? 'default';
    this.#hasProxy = cluster.proxyUrl !== undefined;
    const kept = { keepAlive: true, maxFreeSockets: 16 };
    this.#agent = this.server.startsWith('https:') ? new Agent(kept) : new PlainAgent(kept);
  }

  /** The path of a resource in the namespace, such as `pods`. */
  path(...parts: string[]): string {
    return ['/api/v1/namespaces', this.namespace, ...parts].join('/');
  }

  /**
   * One request. It is repeated if the API server refuses it for a moment (429).
   * @throws ApiError for an error status, the error of the connection, the reason of the signal
   */
  async request<Result>(method: string, path: string, call: Call = {}): Promise<Result> {
    for (let count = 0; ; count += 1) {
      try {
        return JSON.parse(await readAtMost(await this.#send(method, path, call), answerLimit)) as Result;
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 429 || count >= retries.count) throw error;
        const pause = Math.min(error.retryAfter ?? 1, retries.longest) * (0.75 + Math.random() / 2);
        await delay(1000 * pause, undefined, call.signal ? { signal: call.signal } : {});
      }
    }
  }

  /** Reads the events of a watch until the API server ends it. @throws ApiError, the error of the connection, the signal's reason */
  async watch(path: string, call: Call, onEvent: (event: WatchEvent) => void): Promise<void> {
    const query = { ...call.query, watch: 'true', allowWatchBookmarks: 'true' };
    const answer = await this.#send('GET', path, { ...call, query });
    try {
      for await (const line of createInterface({ input: answer })) onEvent(JSON.parse(line) as WatchEvent);
    } finally {
      answer.destroy();
    }
  }

  /** The address and options of a WebSocket. */
  async socket(path: string): Promise<{ url: string; options: RequestOptions }> {
    this.requests += 1;
    return { url: `${this.server.replace(/^http/, 'ws')}${path}`, options: await this.#options() };
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  async #options(): Promise<RequestOptions> {
    const options: RequestOptions = {};
    // Reads a renewed token of a service account, and runs the login program of a kubeconfig when its token has expired.
    await this.#config.applyToHTTPSOptions(options);
    return this.#hasProxy ? options : { ...options, agent: this.#agent };
  }

  async #send(method: string, path: string, call: Call): Promise<IncomingMessage> {
    const { query, body, contentType = 'application/json', signal } = call;
    const url = `${this.server}${path}${query ? `?${new URLSearchParams(query)}` : ''}`;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const options = await this.#options();
    const headers = {
      ...(options.headers as Record<string, string> | undefined),
      accept: 'application/json',
      ...(text === undefined ? {} : { 'content-type': contentType, 'content-length': `${Buffer.byteLength(text)}` }),
    };
    const begin = url.startsWith('https:') ? secureRequest : plainRequest;
    const sendOnce = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        this.requests += 1;
        const sent = begin(url, { ...options, method, headers, ...(signal ? { signal } : {}) }, resolve);
        sent.on('error', (error) => reject(Object.assign(error, { isReused: sent.reusedSocket })));
        sent.end(text);
      });
    const answer = await sendOnce().catch((error: NodeJS.ErrnoException & { isReused?: boolean }) => {
      // The API server closed an idle connection at the moment of the request.
      if (error.code === 'ECONNRESET' && error.isReused) return sendOnce();
      throw error;
    });
    if ((answer.statusCode ?? 500) >= 400) throw await failureOf(answer);
    return answer;
  }
}

export type WatchEvent = { type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'; object: unknown };

/** Loads the client, which takes half a second and 90 MB, and its configuration. @throws Error without a usable configuration */
export async function openCluster({ kubeconfig, namespace }: ClusterPlace): Promise<Cluster> {
  const { KubeConfig: Configuration } = await import('@kubernetes/client-node');
  const config = new Configuration();
  if (kubeconfig === undefined) config.loadFromDefault();
  else config.loadFromFile(kubeconfig);
  return new Cluster(config, namespace);
}
