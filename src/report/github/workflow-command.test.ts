import { expect, test } from 'vitest';
import { hostileText } from '../../../fixtures/create-run-events.ts';
import { workflowCommand } from '../github.ts';

test('escapes what would end a property, a command or its line', () => {
  expect(
    workflowCommand({
      level: 'error',
      title: 'a:b,c%',
      message: 'd\r\n::e::f, 100%',
      file: 'g,h.yaml',
      line: 3,
    }),
  ).toBe('::error file=g%2Ch.yaml,line=3,title=a%3Ab%2Cc%25::d\\u{d}%0A::e::f, 100%25');
});

test('is one line without marks of a terminal, whatever it says', () => {
  const line = workflowCommand({ level: 'notice', title: hostileText, message: hostileText });
  // eslint-disable-next-line no-control-regex -- what a log is not to hold
  expect(line).not.toMatch(/[\u0000-\u001F\u202E]/u);
  expect(line.startsWith('::notice title=<script>alert(1)</script>]]>&"\'\\u{0}')).toBe(true);
});
