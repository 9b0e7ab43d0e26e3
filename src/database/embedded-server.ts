import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdir, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  chooseServerAccount,
  commandsOf,
  giveFolder,
  type ServerAccount,
  type ServerCommand,
} from './embedded-account.ts';
import { type EmbeddedBinaries, findEmbeddedBinaries } from './embedded-binaries.ts';
import {
  type EmbeddedAddress,
  explainFailure,
  isAnswering,
  isPostmasterOf,
  readPostmasterFile,
  ServerLog,
} from './embedded-probe.ts';
import { lockDataFolder, ServiceRunning } from './service-lock.ts';
