import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { createRunEvents } from '../../../fixtures/create-run-events.ts';
import { createCloser } from '../../../fixtures/sockets/create-closer.ts';
import { readPowershell, runWindowsLine } from '../../../fixtures/windows-command.ts';
import type { FoundCause } from '../../events/events.ts';
import { redacted } from '../../http/redact.ts';
import type { ShellName } from '../../http/windows-shells.ts';
import { listRequests, renderCurl, renderExport, renderReplay } from './curl-lines.ts';

const [failed] = createRunEvents().flatMap((event) => (event.kind === 'finding' ? [event.finding] : []));
if (failed === undefined) throw new Error('the faked run found nothing');
const found = failed;
const folder = mkdtempSync(join(tmpdir(), 'cloche-lines-'));
const closer = createCloser();

afterEach(() => closer.closeAll());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const get = (target: string) => ({ method: 'GET', target, headers: [], body: undefined });

function linesOf(cause: Partial<FoundCause>, shell: ShellName, baseUrl = 'http://h'): readonly string[] {
  return listRequests({ ...found, ...cause }, { baseUrl, secrets: [], headers: [], shell });
}

const stored = (pointer: string | undefined): Partial<FoundCause> => ({
  requests: [get('/pets?a=1&b=2'), get('/pets/{petId}')],
  taken: [{ from: 0, pointer, placeholder: '{petId}' }],
});

test('stores an id of a response in a variable of the shell', () => {
  const curl = `curl -sS "http://h/pets?a=1&b=2" -H "Accept:" -o cloche-response.txt`;
  const node = `node -p "encodeURIComponent(JSON.parse(fs.readFileSync('cloche-response.txt')).id)"`;
  const next = 'curl -sSi "http://h/pets/%PET_ID%" -H "Accept:"';
  expect(linesOf(stored('/id'), 'cmd')).toEqual([
    `${curl} & ${node} > cloche-value.txt & set /p PET_ID=< cloche-value.txt & set PET_ID`,
    next,
  ]);
  expect(linesOf(stored('/id'), 'powershell')).toEqual([
    `$env:PET_ID = cmd /s /c '${curl} & ${node.replaceAll("'", "''")}'; "PET_ID=$env:PET_ID"`,
    `cmd /s /c '${next}'`,
  ]);
});

test.each([
  ['the content', '/data/the "id"', '7 a"&b'],
  ['Location', undefined, '7%20a%22&b'],
])(
  'puts an id of %s into the next request, encoded, so that it is no command',
  async (_from, pointer, id) => {
    const targets: string[] = [];
    const server = createServer((request, response) => {
      targets.push(request.url ?? '');
      response.setHeader('Location', `http://h/pets/${id}?x`);
      response.end(JSON.stringify({ data: { 'the "id"': id } }));
    });
    const url = `http://127.0.0.1:${await closer.listen(server)}`;
    const variables = {};
    for (const line of linesOf(stored(pointer), 'cmd', url)) {
      await runWindowsLine(line, { folder, variables });
    }
    expect(variables).toEqual({ PET_ID: '7%20a%22%26b' });
    expect(targets).toEqual(['/pets?a=1&b=2', '/pets/7%20a%22%26b']);
  },
);

test('sends requests side by side', () => {
  const cause = { requests: [get('/a'), get('/b')], sideBySide: true } as const;
  const [first, last] = ['a', 'b'].map((name) => `curl -sSi "http://h/${name}" -H "Accept:"`);
  expect(linesOf(cause, 'cmd')).toEqual([`start /b ${first}`, last]);
  expect(linesOf(cause, 'powershell')).toEqual([`cmd /s /c 'start /b ${first}'`, `cmd /s /c '${last}'`]);
});

test('sets the variables of hidden values in the words of the shell', () => {
  const fields = [['Cookie', `sid=${redacted}`]] as const;
  const lines = (['cmd', 'powershell'] as const).map((shell) => {
    const sending = { baseUrl: 'http://h', secrets: [redacted], headers: [], shell };
    const curl = renderCurl({ ...get('/'), headers: fields }, sending);
    return [curl, renderExport([curl], ['the token'], shell)];
  });
  const curl = 'curl -sSi "http://h/" -H "Cookie: sid=%CLOCHE_COOKIE_SID%" -H "Accept:"';
  expect(lines).toEqual([
    [curl, 'set "CLOCHE_COOKIE_SID=the cookie sid"'],
    [`cmd /s /c '${curl}'`, "$env:CLOCHE_COOKIE_SID = 'the cookie sid'"],
  ]);
});

test('finds the variables of content in a file', () => {
  const body = Buffer.from('\0secret-token');
  const line = renderCurl(
    { ...get('/'), method: 'POST', body },
    { baseUrl: 'http://h', secrets: ['secret-token'], headers: [], shell: 'cmd' },
  );
  expect(line).toContain(
    "Buffer.concat([Buffer.from('AA==','base64'),Buffer.from(process.env.CLOCHE_TOKEN)])",
  );
  expect(renderExport([line], ['the token'], 'cmd')).toBe('set "CLOCHE_TOKEN=the token"');
});

test('quotes the path of a replay for npx, and renders none that the shell cannot pass on', () => {
  const replay = (name: string, shell: ShellName): string | undefined => {
    const path = `valid-bodies/${name}.plain:3`;
    return renderReplay(
      { ...found, replay: { ...found.replay, path } },
      { command: 'npx cloche test', shell },
    );
  };
  expect(replay("it's & co", 'cmd')).toBe(
    `npx cloche test --seed ${found.replay.seed} --path "valid-bodies/it's & co.plain:3"`,
  );
  expect(readPowershell(replay("it's", 'powershell') ?? '')).toBe(replay("it's", 'cmd'));
  expect(replay('"&calc', 'cmd')).toContain(String.raw`--path ^^^"valid-bodies/\^^^"^^^&calc.plain:3^^^"`);
  expect(replay('a\nb', 'cmd')).toBeUndefined();
});
