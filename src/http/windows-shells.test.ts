import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createCloser } from '../../fixtures/sockets/create-closer.ts';
import { readCommands, readPowershell, runWindowsLine } from '../../fixtures/windows-command.ts';
import { type CurlSource, toCurl } from './curl.ts';
import type { WordPart } from './shell-quoting.ts';
import { shells } from './windows-shells.ts';

const { cmd, powershell } = shells;
const folder = mkdtempSync(join(tmpdir(), 'cloche-windows-'));
const closer = createCloser();
const hasCurl = spawnSync('curl', ['--version']).status === 0;

afterEach(() => closer.closeAll());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function bytes(text: string): WordPart {
  return { kind: 'bytes', bytes: Buffer.from(text) };
}

const token: WordPart = { kind: 'variable', name: 'TOKEN' };
const variables = { TOKEN: 'the token' };

/** Text that a console shows, with what ends quotes, names a variable or means something else to a shell. */
const printable = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom(...`"\\%^&|<>()!'\`$#@:=,; `, '\u2018', '\u2019', '\u201C', 'é', '💥', 'x', '1'),
      fc.constantFrom('%PATH%', '%PATH:a=b%', '\\"', '&calc', '| calc', '##', '^"', '%^', "''"),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 16,
  })
  .filter((text) => cmd.canQuote(Buffer.from(text)));

describe.each([
  ['cmd', 1, cmd.quote],
  ['cmd, which reads the line of a batch file twice,', 2, cmd.quoteForScript],
] as const)('%s', (_name, readings, quote) => {
  test('passes on any printable text as one word', () => {
    fc.assert(
      fc.property(fc.array(printable, { maxLength: 4 }), (texts) => {
        const words = texts.map((text) => quote([bytes(text)]));
        const [command, next] = readCommands(`curl ${words.join(' ')} & next`, variables, readings);
        expect(command?.words).toEqual(['curl', ...texts]);
        expect(next?.words).toEqual(['next']);
        expect(words.join('')).not.toContain('##');
      }),
      { numRuns: 2_000 },
    );
  });

  test('puts the value of a variable between any texts', () => {
    // A backslash before a value or after it could escape a quote of the value or of the word.
    const apart = printable.map((text) => text.replace(/\\+$/u, ''));
    fc.assert(
      fc.property(apart, printable, (before, after) => {
        const word = quote([bytes(before), token, bytes(after)]);
        const [command] = readCommands(`curl ${word}`, variables, readings);
        expect(command?.words).toEqual(['curl', `${before}the token${after}`]);
      }),
      { numRuns: 1_000 },
    );
  });
});

test('quotes plainly what cmd reads without carets', () => {
  expect(cmd.quote([bytes('http://127.0.0.1:4010/things?a=1&b=(2)')])).toBe(
    '"http://127.0.0.1:4010/things?a=1&b=(2)"',
  );
  expect(cmd.quote([bytes('{"name":"Ärger \\"!"}')])).toBe(String.raw`^"{\^"name\^":\^"Ärger \\\^"!\^"}^"`);
  expect(cmd.quote([bytes('{"name":"Ärger!"}')])).toBe(String.raw`"{\"name\":\"Ärger!\"}"`);
  expect(cmd.quote([bytes('Bearer '), token])).toBe('"Bearer %TOKEN%"');
  expect(cmd.quote([bytes('a%20b')])).toBe('^"a%^20b^"');
});

test('a value of a variable between plain quotes is no command', () => {
  const word = cmd.quote([bytes('/pets/'), token]);
  const [command, ...others] = readCommands(`curl ${word}`, { TOKEN: '1&calc|calc' });
  expect([command?.words, others]).toEqual([['curl', '/pets/1&calc|calc'], []]);
});

test('PowerShell passes any line of cmd to cmd unchanged', () => {
  fc.assert(
    fc.property(printable, (text) => {
      expect(readPowershell(powershell.toLine(text))).toBe(text);
    }),
  );
});

test('writes any bytes and values of variables to the file', async () => {
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.integer({ min: 200, max: 70_000 }).map((count) => Buffer.alloc(count, 'é\\%')),
  );
  await fc.assert(
    fc.asyncProperty(content, content, async (before, after) => {
      const parts: WordPart[] = [{ kind: 'bytes', bytes: before }, token, { kind: 'bytes', bytes: after }];
      const feed = cmd.feed(parts);
      await runWindowsLine(feed.before.replace(/ & $/u, ''), { folder, variables: { ...variables } });
      const expected = Buffer.concat([before, Buffer.from('the token'), after]);
      expect(readFileSync(join(folder, feed.file)).equals(expected)).toBe(true);
    }),
    { numRuns: 10 },
  );
});

const baseUrl = 'http://127.0.0.1:4010';

function toLines(source: Omit<CurlSource, 'baseUrl'>): readonly string[] {
  return [cmd, powershell].map((shell) => shell.toLine(toCurl({ baseUrl, ...source, shell })));
}

test('writes a GET with a token', () => {
  const headers = [['Authorization', 'Bearer secret-token']] as const;
  const request = { method: 'GET', target: '/things', headers, body: undefined };
  const line =
    'curl -sSi "http://127.0.0.1:4010/things" -H "Authorization: Bearer %CLOCHE_TOKEN%" -H "Accept:"';
  expect(toLines({ request, secrets: ['secret-token'] })).toEqual([line, `cmd /s /c '${line}'`]);
});

test('writes a POST with JSON', () => {
  const headers = [['Content-Type', 'application/json']] as const;
  const body = Buffer.from(`{"name":"it's"}`);
  const [line, wrapped] = toLines({ request: { method: 'POST', target: '/things', headers, body } });
  expect(line).toBe(
    String.raw`curl -sSi "http://127.0.0.1:4010/things" -H "Content-Type: application/json" -H "Accept:" --data-binary "{\"name\":\"it's\"}"`,
  );
  expect(wrapped).toBe(`cmd /s /c '${line?.replace("it's", "it''s")}'`);
});

test('writes content that is no text to a file', () => {
  const request = { method: 'PUT', target: '/raw', headers: [], body: Buffer.from('\0\xFF', 'latin1') };
  const [line, wrapped] = toLines({ request });
  expect(line).toBe(
    `node -e "fs.writeFileSync('cloche-body.bin',Buffer.from('AP8=','base64'))" & curl -sSi -X PUT "http://127.0.0.1:4010/raw" -H "Accept:" -H "Content-Type:" --data-binary @cloche-body.bin`,
  );
  expect(wrapped).toBe(`cmd /s /c '${line?.replaceAll("'", "''")}'`);
});

test('writes the options of a TLS connection with their files', () => {
  const request = { method: 'GET', target: '/', headers: [], body: undefined };
  const [line] = toLines({ request, ca: String.raw`C:\my certs\ca.pem` });
  expect(line).toContain(String.raw`--cacert "C:\my certs\ca.pem"`);
});

test('sets variables', () => {
  const values = [
    ['CLOCHE_TOKEN', "the user's token"],
    ['CLOCHE_TOKEN_2', 'the "100%" key'],
  ] as const;
  expect(cmd.assign(values)).toBe(
    `set "CLOCHE_TOKEN=the user's token" & set "CLOCHE_TOKEN_2=the '100'' key"`,
  );
  expect(powershell.assign(values)).toBe(
    `$env:CLOCHE_TOKEN = 'the user''s token'; $env:CLOCHE_TOKEN_2 = 'the "100%" key'`,
  );
});

/** Runs the line of a request through both shells. Returns the request line, the fields and the content that arrive. */
async function arrive(
  source: Partial<CurlSource['request']>,
  options: Partial<CurlSource> = {},
): Promise<readonly string[]> {
  const arrived: string[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((content) => {
      const fields = request.rawHeaders.filter(
        (_, index) => request.rawHeaders[index - (index % 2)] === 'X-A',
      );
      arrived.push([`${request.method} ${request.url}`, ...fields, content.toString('latin1')].join('\n'));
      return response.end('ok');
    });
  });
  const url = `http://127.0.0.1:${await closer.listen(server)}`;
  const request = { method: 'POST', target: '/', headers: [], body: undefined, ...source };
  for (const shell of [cmd, powershell]) {
    const line = shell.toLine(toCurl({ request, baseUrl: url, ...options, shell }));
    const plain = shell === powershell ? readPowershell(line) : line;
    const printed = await runWindowsLine(plain, {
      folder,
      variables: { CLOCHE_TOKEN: 'a token', ID: '741' },
    });
    expect(printed).toMatch(/^HTTP\/1\.1 200 /u);
  }
  return arrived;
}

describe.skipIf(!hasCurl)(
  'a line that cmd and the C runtime are said to read, run with curl (skipped without it)',
  () => {
    test.each([
      ['JSON', '{"id":1,"name":"Ärger 🌱"}'],
      ['signs of cmd', `{"a":"50% & | <x> ^(y)! '%PATH%' \\\\"}`],
      ['what looks like a file', '@/etc/hostname'],
      ['nothing', ''],
      ['NUL and control characters', '{"a":"\0\x01\x7f\r\n\t","b":100%}'],
      ['long content that repeats', `{"name":"${'x'.repeat(65_536)}"}`],
    ])('sends %s', async (_what, text) => {
      const body = Buffer.from(text);
      const expected = `POST /\n${body.toString('latin1')}`;
      expect(await arrive({ body })).toEqual([expected, expected]);
    });

    test('sends a target with signs of cmd, and fields that are no text of a console', async () => {
      const target = `/a%20b?c=%41&d=(1)^2|'x'`;
      const [name, value] = ['X-A', 'caf\u00E9 "b" \\ %PATH%'] as const;
      const options = { secrets: ['secret-token'] };
      const arrived = await arrive({ target, headers: [[name, `${value} secret-token`]] }, options);
      const expected = `POST ${target}\nX-A\n${value} a token\n`;
      expect(arrived).toEqual([expected, expected]);
    });

    test.each([
      ['UTF-16LE', 'utf16le'],
      ['UTF-16BE', 'be'],
    ])('puts a stored value into content in %s', async (_encoding, kind) => {
      const toBody = (text: string): Buffer => {
        const little = Buffer.from(text, 'utf16le');
        return kind === 'be' ? little.swap16() : little;
      };
      const arrived = await arrive({ body: toBody('{"team":{id}}') }, { taken: [['{id}', 'ID']] });
      const expected = `POST /\n${toBody('{"team":741}').toString('latin1')}`;
      expect(arrived).toEqual([expected, expected]);
    });

    test('sends raw bytes, and prints what comes after the response', async () => {
      const server = createTcpServer((socket) => {
        socket.once('data', (chunk) =>
          socket.end(`HTTP/1.1 204 No Content\r\n\r\n${chunk.toString().split('\r', 1)[0]}`),
        );
      });
      const url = `http://127.0.0.1:${await closer.listen(server)}`;
      const request = { method: 'DELETE', target: '/raw', headers: [], body: undefined };
      const line = toCurl({ request, baseUrl: url, excess: 'after-head', shell: cmd });
      expect(await runWindowsLine(line, { folder, variables: {} })).toContain('\r\n\r\nDELETE /raw HTTP/1.1');
    });
  },
);
