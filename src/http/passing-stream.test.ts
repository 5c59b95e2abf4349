import { expect, test } from 'vitest';
import { createPassingStream } from './passing-stream.ts';

function open() {
  const calls: string[] = [];
  const passing = createPassingStream({
    pause: () => calls.push('pause'),
    resume: () => calls.push('resume'),
    abort: () => calls.push('abort'),
  });
  return { calls, passing, reader: passing.stream.getReader() };
}

const bytes = new Uint8Array([1]);

test('the response pauses while a chunk waits for the reader, and resumes when it is read', async () => {
  const { calls, passing, reader } = open();
  passing.write(bytes);
  expect(calls).toEqual(['pause']);
  expect(await reader.read()).toEqual({ done: false, value: bytes });
  expect(calls).toEqual(['pause', 'resume']);
  const next = reader.read();
  passing.write(bytes);
  await next;
  expect(calls.filter((call) => call === 'pause')).toHaveLength(1);
});

test('an empty chunk neither pauses the response nor reaches the reader', async () => {
  const { calls, passing, reader } = open();
  passing.write(new Uint8Array());
  expect(calls).toEqual([]);
  passing.end();
  expect((await reader.read()).done).toBe(true);
});

test('the reader gets what arrived before a failure, and then the failure', async () => {
  const { passing, reader } = open();
  passing.write(bytes);
  passing.fail(new Error('gone'));
  expect((await reader.read()).value).toEqual(bytes);
  await expect(reader.read()).rejects.toThrow('gone');
});

test('a reader that waits gets the failure and the end', async () => {
  const failing = open();
  const failed = failing.reader.read();
  failing.passing.fail(new Error('gone'));
  await expect(failed).rejects.toThrow('gone');
  const ending = open();
  ending.passing.end();
  expect((await ending.reader.read()).done).toBe(true);
});

test('a reader that cancels aborts the response', async () => {
  const { calls, reader } = open();
  await reader.cancel();
  expect(calls).toContain('abort');
});
