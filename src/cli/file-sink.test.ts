import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createFileSink } from './file-sink.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-sink-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function place(name: string): { readonly file: string; readonly home: string } {
  const home = join(folder, name);
  mkdirSync(home);
  return { file: join(home, 'report.json'), home };
}

test('puts a report in its place when it is whole, and leaves what was there until then', () => {
  const { file, home } = place('whole');
  writeFileSync(file, 'of yesterday');
  const sink = createFileSink(file);
  const long = 'a'.repeat(200_000);
  sink.write(long);
  sink.write('é');
  expect(readFileSync(file, 'utf8')).toBe('of yesterday');
  expect(readdirSync(home)).toHaveLength(2);
  expect(sink.close()).toBeUndefined();
  expect(readFileSync(file, 'utf8')).toBe(`${long}é`);
  expect(readdirSync(home)).toEqual(['report.json']);
});

test('leaves everything as it is where nothing was written', () => {
  const { file, home } = place('nothing');
  expect(createFileSink(file).close()).toBeUndefined();
  expect(readdirSync(home)).toEqual([]);
});

test('replaces a report of an earlier run with an empty one', () => {
  const { file } = place('empty');
  writeFileSync(file, 'of yesterday');
  const sink = createFileSink(file);
  sink.write('');
  expect(sink.close()).toBeUndefined();
  expect(readFileSync(file, 'utf8')).toBe('');
});

test('writes through a link, and straight to what is no file', () => {
  const { file, home } = place('link');
  writeFileSync(file, 'old');
  symlinkSync(file, join(home, 'link'));
  const linked = createFileSink(join(home, 'link'));
  linked.write('new');
  linked.close();
  expect(readFileSync(file, 'utf8')).toBe('new');
  const device = createFileSink('/dev/null');
  device.write('gone');
  expect(device.close()).toBeUndefined();
  expect(existsSync('/dev/null')).toBe(true);
});

test('says beforehand that a file cannot be written', () => {
  const { file, home } = place('cannot');
  writeFileSync(file, '');
  expect(() => createFileSink(join(home, 'no', 'report.json'))).toThrow(
    `Failed to write the report "${join(home, 'no', 'report.json')}": its folder does not exist. Make the folder first, or name another file.`,
  );
  expect(() => createFileSink(home)).toThrow('it is a folder. Name another file.');
  expect(() => createFileSink(join(file, 'report.json'))).toThrow('its folder is a file');
});

test('does not throw while a run goes on, and says at the end what went wrong', () => {
  const { file, home } = place('full');
  const sink = createFileSink(file);
  rmSync(home, { recursive: true });
  expect(() => sink.write('a'.repeat(100_000))).not.toThrow();
  sink.write('b');
  expect(sink.close()?.message).toContain('its folder does not exist');
  expect(existsSync(file)).toBe(false);
});

test.skipIf(!existsSync('/dev/full'))('says that a disk is full', () => {
  const full = createFileSink('/dev/full');
  full.write('a');
  expect(full.close()?.message).toContain('the disk is full. Free some room on it');
});
