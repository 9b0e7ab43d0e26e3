import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import headless from '@xterm/headless';
import { UnreceivedInput } from '../../web/src/terminal/unreceived-input.ts';
import { describeLong, isFull, rounds } from '../rounds.ts';
import { engineSkip } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';
import { type Account, CrashWorld } from './crash-world.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

const size = { cols: 80, rows: 24 };
/** The promise: a terminal is back within this time, in milliseconds, of the next start. */
const soon = 5000;

/** What a terminal shows after these bytes: the lines without the empty ones at the end, and the cursor. Numbers, and whether a process runs or sleeps, differ between runs of top and are left out. */
async function shown(bytes: Buffer, isTop: boolean) {
  const terminal = new headless.Terminal({ ...size, scrollback: 1000, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(bytes, resolve));
  const { active } = terminal.buffer;
  const line = (index: number) => active.getLine(index)?.translateToString(true) ?? '';
  const lines = Array.from({ length: active.length }, (_, index) => line(index));
  while (lines.at(-1) === '') lines.pop();
  return {
    lines: isTop
      ? lines.map((text) =>
          text
            .replace(/[\d.,\s]+/g, ' ')
            .replace('users', 'user')
            .replace(/ [RSD] : /, ' S : '),
        )
      : lines,
    ...{ type: active.type, cursor: [active.cursorX, active.cursorY] },
  };
}

/** Programs, each with the text that it shows when it has its screen, and with its last one. */
const programs = [
  {
    command: 'vi -u NONE -N notes.txt',
    begun: /~\r?\n?.*~/s,
    keys: 'ione\rtwo tw\x1b',
    last: /two tw/,
  },
  { command: 'top -d 3600 -p 1', begun: /PID/, keys: '', last: /PID/ },
  {
    command: `i=0; while [ $i -lt 3000 ]; do i=$((i+1)); printf '\\033[3%dm[%d/3000]\\033[m Compiling module %d of the program, as a compiler does\\n' $((i%8)) $i $i; [ $((i%40)) = 0 ] && sleep 0.03; done; echo comp""iled`,
    begun: /Compiling/,
    keys: '',
    last: /compiled/,
  },
];

describeLong('shells whose service is killed or replaced', { skip: engineSkip, concurrency: false }, () => {
  let world: CrashWorld;
  before(async () => {
    world = await CrashWorld.create({
      ...{ maxTerminalsPerUser: 100, maxTerminalsPerContainer: 100, CONTAINER_STARTS: '4' },
      ...{ CONTAINERS_MAX: '150', EXAM_RESERVE_PERCENT: '0' },
    });
  });
  after(() => world?.[Symbol.asyncDispose]());

  async function sandbox(service: ServiceUnderTest): Promise<{ account: Account; container: number }> {
    const account = await world.account(service);
    const made = await world.act<{ id: number }>(service, account, ['POST', '/api/containers/create']);
    return { account, container: made.id };
  }
  const open = (service: ServiceUnderTest, container: number, { token }: Account, query = '') =>
    new TerminalClient(`${service.url}/ws/terminal/${container}?token=${token}${query}`, { protocol: 'terminal.v1' });

  // Long: most of it starts the programs, and compares all their screens.
  it('come back with their screens within five seconds of the next start', async (context) => {
    const count = rounds(12, 50, 3);
    // The twins' service is not disturbed. It takes nothing over.
    await using quiet = await world.start({ reconcileSeconds: 3600 });
    const disturbed: { client: TerminalClient; container: number; account: Account; program: number; id: unknown }[] =
      [];
    const twins: { client: TerminalClient; program: number; container: number; account: Account }[] = [];
    {
      await using killed = await world.start({ reconcileSeconds: 3600 });
      for (let index = 0; index < count; ) {
        const { account, container } = await sandbox(killed);
        for (let here = 0; here < 9 && index < count; here += 1, index += 1) {
          const program = index % programs.length;
          const { command, begun, keys } = programs[program] as (typeof programs)[number];
          for (const service of [killed, quiet]) {
            if (service === quiet && index >= programs.length) continue;
            const client = await open(service, container, account).ready();
            client.type(`PS1='$ '; cd $(mktemp -d); clear\n`);
            await client.ready();
            client.type(`${command}\n`);
            await client.shows(begun);
            client.type(keys);
            const { session_id: id } = await client.message('ready');
            if (service === quiet) twins.push({ client, program, container, account });
            else disturbed.push({ client, program, container, account, id });
          }
        }
      }
      // Some compile still.
      await delay(1200);
      await killed.kill();
    }
    await Promise.all(disturbed.map(({ client }) => client.closed));
    await using next = await world.start();
    const begin = performance.now();
    const back = await Promise.all(
      disturbed.map(async ({ container, account, id, program }) => {
        const client = open(next, container, account, `&session=${id}`);
        const ready = await client.message('ready');
        await until(() => client.bytes > 0, 'the screen');
        const milliseconds = performance.now() - begin;
        assert.deepEqual([ready['session_id'], ready['is_resumed']], [id, true]);
        return { client, program, milliseconds };
      }),
    );
    const slowest = Math.max(...back.map(({ milliseconds }) => milliseconds));
    context.diagnostic(`${count} terminals are back after ${Math.round(slowest)} ms`);
    // Other tests may use the machine at the same time.
    if (isFull) assert.ok(slowest < soon, `${slowest} ms`);
    for (const { client, program } of back) {
      const { last } = programs[program] as (typeof programs)[number];
      const twin = twins.find((one) => one.program === program)?.client as TerminalClient;
      await client.shows(last, 60_000);
      await twin.shows(last, 60_000);
      const isTop = program === 1;
      await until(
        async () =>
          `${JSON.stringify(await shown(client.output, isTop))}` === JSON.stringify(await shown(twin.output, isTop)),
        () => `equal screens of program ${program}`,
        10_000,
      ).catch(async () => assert.deepEqual(await shown(client.output, isTop), await shown(twin.output, isTop)));
      assert.equal(
        client.messages.find(({ reason }) => reason === 'screen_lost'),
        undefined,
      );
    }
    // The programs continue: vi takes its keys.
    const editor = back[0]?.client as TerminalClient;
    editor.type('o');
    editor.type('three\x1b:wq\r');
    await editor.ready();
    editor.type('cat notes.txt\n');
    await editor.shows(/one\r\ntwo tw\r\nthree\r\n/);
    for (const { client } of [...back, ...twins]) client.socket.terminate();
  });

  /** A client that types as the pages do: what has not been accepted is sent again. */
  async function typist(
    services: () => ServiceUnderTest[],
    number: number,
    text: Buffer,
    parts: {
      machine: Promise<{ account: Account; container: number }>;
      begun: () => void;
      isOver: () => boolean;
      pause: number;
    },
  ) {
    const { account, container } = await parts.machine;
    const input = new UnreceivedInput();
    let id: string | undefined;
    let acknowledged = 0;
    let resumed = 0;
    let client: TerminalClient | undefined;
    let turn = number;
    const connect = async (): Promise<TerminalClient> => {
      for (;;) {
        const all = services();
        turn += 1;
        const to = all[turn % all.length] as ServiceUnderTest;
        const next = open(to, container, account, id === undefined ? '' : `&session=${id}`);
        const ready = await next.message('ready').catch(() => undefined);
        if (!ready) {
          const { code } = await next.closed;
          assert.notEqual(code, 4404, 'the shell is gone');
          await delay(100);
          continue;
        }
        if (id !== undefined) resumed += 1;
        id = String(ready['session_id']);
        next.send({ type: 'acknowledge' });
        next.socket.on('message', (data: Buffer, isBinary) => {
          const message = isBinary ? undefined : JSON.parse(data.toString());
          if (message?.type !== 'received') return;
          acknowledged = message.input_bytes;
          input.received(acknowledged);
        });
        const rest = input.ready(ready['input_bytes'] as number);
        if (rest.length > 0) next.socket.send(rest);
        return next;
      }
    };
    client = await connect();
    await client.ready();
    const begin = `stty raw -echo; echo re""ady; head -c ${text.length} | sha256sum; stty sane\n`;
    const type = (bytes: Buffer) => {
      input.add(bytes);
      client?.socket.send(bytes, () => undefined);
    };
    type(Buffer.from(begin));
    await client.shows(/ready/);
    parts.begun();
    for (let offset = 0; offset < text.length; ) {
      if (client.socket.readyState !== client.socket.OPEN) client = await connect();
      const isLast = text.length - offset < 20;
      if (isLast && !parts.isOver()) {
        await delay(20);
        continue;
      }
      const part = text.subarray(offset, offset + 1 + Math.floor(Math.random() * (parts.isOver() ? 500 : 5)));
      type(part);
      offset += part.length;
      await delay(parts.isOver() ? 0 : parts.pause);
    }
    const sum = createHash('sha256').update(text).digest('hex');
    const deadline = Date.now() + 120_000;
    while (!client.output.includes(sum)) {
      if (client.socket.readyState !== client.socket.OPEN) client = await connect();
      assert.ok(
        Date.now() < deadline,
        `not ${sum}, ${text.length} bytes, acknowledged ${acknowledged}: ${client.output.toString().slice(-300)}`,
      );
      await delay(20);
    }
    await until(
      () => acknowledged === begin.length + text.length,
      () => `every byte acknowledged, not ${acknowledged}`,
    );
    client.socket.terminate();
    await world.act(services()[0] as ServiceUnderTest, account, ['DELETE', `/api/containers/${container}`]);
    return resumed;
  }

  for (const way of ['stopped', 'killed'] as const) {
    it(`receive every byte of input once while three processes are ${way} one after the other`, async (context) => {
      const count = rounds(12, 100, 3);
      const services = await Promise.all([0, 1, 2].map(() => world.start({ reconcileSeconds: 2 })));
      let isOver = false;
      let begun = 0;
      // Few at once: starts are not the assessment.
      let created: Promise<unknown> = Promise.resolve();
      const typists = Array.from({ length: count }, (_, index) => {
        const machine = created.then(async () => await sandbox(services[0] as ServiceUnderTest));
        created = machine;
        return typist(() => services, index, randomBytes(20_000), {
          machine,
          begun: () => {
            begun += 1;
          },
          isOver: () => isOver,
          // All together send 600 messages a second, so that two cores have time for the terminals that return.
          pause: count / 0.6,
        });
      });
      const all = Promise.all(typists);
      all.catch(() => undefined);
      try {
        await Promise.race([all, until(() => begun === count, 'all to type', 240_000)]);
        for (const index of [0, 1, 2]) {
          const [old] = services.splice(index, 1);
          if (way === 'killed') await old?.kill();
          else await old?.[Symbol.asyncDispose]();
          services.splice(index, 0, await world.start({ reconcileSeconds: 2 }));
          await delay(1000);
        }
        isOver = true;
        const resumed = await all;
        context.diagnostic(`${count} clients resumed ${resumed.reduce((sum, one) => sum + one, 0)} times`);
        assert.ok(resumed.every((times) => times > 0));
      } finally {
        await Promise.all(services.map((service) => service[Symbol.asyncDispose]()));
      }
    });
  }
});
