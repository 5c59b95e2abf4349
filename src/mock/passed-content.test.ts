import { expect, test } from 'vitest';
import { breakOff, passContent } from './passed-content.ts';

function contentOf(...chunks: readonly string[]): ReadableStream<Uint8Array> {
  const texts = chunks.values();
  return new ReadableStream({
    pull(controller) {
      const { value } = texts.next();
      if (value === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(value));
    },
  });
}

const read = (stream: ReadableStream<Uint8Array>): Promise<string> => new Response(stream).text();

test('passes content and records it', async () => {
  const { stream, whenOver } = passContent(contentOf('one ', 'two'));
  expect(await read(stream)).toBe('one two');
  expect(await whenOver).toEqual({
    length: 7,
    content: new TextEncoder().encode('one two'),
    isComplete: true,
  });
});

test('records only the length of long content', async () => {
  const { stream, whenOver } = passContent(contentOf('x'.repeat(64 * 1024), 'y'));
  await read(stream);
  expect(await whenOver).toEqual({ length: 64 * 1024 + 1, content: undefined, isComplete: true });
});

test('records that a client cancels, and that a service breaks off while nobody reads', async () => {
  const cancelled = passContent(contentOf('one'));
  await cancelled.stream.cancel();
  expect(await cancelled.whenOver).toMatchObject({ isComplete: false });
  let fail: (error: Error) => void = () => undefined;
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      fail = (error) => controller.error(error);
    },
  });
  const { whenOver } = passContent(source);
  fail(new Error('gone'));
  expect(await whenOver).toMatchObject({ isComplete: false, length: 0 });
});

test('content that is broken off has half of the first chunk', async () => {
  const { stream: whole, whenOver } = passContent(contentOf('12345678', '9'));
  const stream = breakOff(whole);
  const reader = stream.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('1234');
  await expect(reader.read()).rejects.toThrow('terminated');
  expect(await whenOver).toMatchObject({ isComplete: false });
});
