import { mkdtempSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/cli/run.ts';

let template: Promise<string> | undefined;

/** Makes a SQLite file with the demo's records: a copy of one that each process makes once, which takes a second. */
export async function copyDemo(file: string): Promise<void> {
  template ??= makeTemplate();
  await copyFile(await template, file);
}

async function makeTemplate(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'broker-demo-'));
  process.once('exit', () => rmSync(directory, { recursive: true }));
  const file = join(directory, 'broker.db');
  const silent = { out: () => undefined, err: () => undefined, watched: false };
  const code = await run(['demo'], silent, { DATABASE_URL: `file:${file}` });
  if (code !== 0) throw new Error(`broker demo ended with ${code}`);
  return file;
}
