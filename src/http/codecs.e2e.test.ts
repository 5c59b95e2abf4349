import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawCases } from '../../fixtures/draw-cases.ts';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { type Ended, runCloche } from '../../fixtures/run-cloche.ts';
import { essenceOf } from './media-type.ts';
import { parseMultipart } from './multipart.ts';

const minute = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'cloche-forms-'));
const hasBash = spawnSync('bash', ['--version']).status === 0;

const operation = (mediaTypes: string | readonly string[], schema: object): object => ({
  post: {
    requestBody: {
      required: true,
      content: Object.fromEntries([mediaTypes].flat().map((mediaType) => [mediaType, { schema }])),
    },
    responses: {
      200: { description: 'Success' },
      400: { description: 'Invalid' },
      415: { description: 'Type' },
    },
  },
});

const document = {
  openapi: '3.0.3',
  info: { title: 'Forms', version: '1' },
  paths: {
    '/members': operation('application/x-www-form-urlencoded', {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', minLength: 1 },
        age: { type: 'integer', minimum: 0 },
        isMember: { type: 'boolean' },
        tags: { type: 'array', items: { type: 'string' } },
      },
    }),
    '/photos': operation('multipart/form-data', {
      type: 'object',
      required: ['photo'],
      properties: {
        photo: { type: 'string', format: 'binary' },
        place: { type: 'object', required: ['floor'], properties: { floor: { type: 'integer' } } },
      },
    }),
    '/memos': operation('text/plain', { type: 'string', minLength: 1 }),
    '/notes': operation(['application/json', 'application/xml'], {
      type: 'object',
      required: ['text'],
      properties: { text: { type: 'string' } },
      xml: { name: 'note' },
    }),
    '/prices': operation('text/csv', {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'price'],
        properties: {
          id: { type: 'integer', minimum: 1 },
          price: { type: 'number', nullable: true },
          name: { type: 'string' },
          isSold: { type: 'boolean' },
        },
      },
    }),
  },
};

/** The names of what a service does wrong. */
const faults = new Set<'name-ignored' | 'floor-unread' | 'memo-fails' | 'xml-fails' | 'id-unread'>();

function answerMember(content: Buffer): number {
  const fields = new URLSearchParams(content.toString());
  const name = fields.get('name') ?? (faults.has('name-ignored') ? 'nobody' : '');
  const isAge = /^\d*$/u.test(fields.get('age') ?? '');
  const isMember = /^(?:true|false|on|off|1|0|)$/u.test(fields.get('isMember') ?? '');
  return name !== '' && isAge && isMember ? 200 : 400;
}

function answerPhoto(content: Buffer, contentType: string): number {
  const parts = parseMultipart(content, /boundary=([^;]+)/u.exec(contentType)?.[1], 1_000);
  if (typeof parts === 'string') return 400;
  const [photos, places] = ['photo', 'place'].map((name) => parts.filter((part) => part.name === name));
  if (photos?.length !== 1 || photos[0]?.contentType !== 'application/octet-stream') return 400;
  if (places?.length === 0 || faults.has('floor-unread')) return 200;
  try {
    const place: unknown = JSON.parse(Buffer.from(places?.[0]?.content ?? []).toString());
    const isPlace = typeof place === 'object' && place !== null && 'floor' in place;
    return isPlace && Number.isInteger(place.floor) ? 200 : 400;
  } catch {
    return 400;
  }
}

function answerNote(content: Buffer): number {
  try {
    const note: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content));
    const isNote = typeof note === 'object' && note !== null && 'text' in note;
    return isNote && typeof note.text === 'string' ? 200 : 400;
  } catch {
    return 400;
  }
}

function answerPrices(content: Buffer): number {
  const [head = [], ...rows] = splitTable(content.toString());
  const ids = rows.map((row) => row[head.indexOf('id')] ?? '');
  const prices = rows.map((row) => row[head.indexOf('price')] ?? 'none');
  const isWhole = rows.every((row) => row.length === head.length);
  const isId = ids.every((id) => faults.has('id-unread') || (/^\d+$/u.test(id) && Number(id) > 0));
  const sold = rows.map((row) => row[head.indexOf('isSold')] ?? '');
  const isPrice = prices.every((price) => !Number.isNaN(Number(price)));
  return isWhole && isId && isPrice && sold.every((each) => /^(?:true|false|)$/u.test(each)) ? 200 : 400;
}

/** Splits a table as RFC 4180 describes it, character by character. */
function splitTable(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [['']];
  let isQuoted = false;
  let previous = '';
  for (const character of text) {
    const row = rows.at(-1) ?? [];
    const isText = isQuoted || !/[,\r\n]/u.test(character);
    if (character === '"') {
      // A quote in a quoted field is written twice.
      if (!isQuoted && previous === '"') row[row.length - 1] += '"';
      isQuoted = !isQuoted;
    } else if (isText) row[row.length - 1] += character;
    else if (character === ',') row.push('');
    else if (character === '\n') rows.push(['']);
    previous = character;
  }
  // The last line has an end.
  return rows.slice(0, -1);
}

async function answer(request: IncomingMessage): Promise<number> {
  const content = Buffer.concat(await request.toArray());
  const contentType = request.headers['content-type'] ?? '';
  switch (`${request.url} ${essenceOf(contentType)}`) {
    case '/members application/x-www-form-urlencoded':
      return answerMember(content);
    case '/photos multipart/form-data':
      return answerPhoto(content, contentType);
    case '/prices text/csv':
      return answerPrices(content);
    case '/memos text/plain':
      return content.length === 0 ? 400 : faults.has('memo-fails') ? 500 : 200;
    case '/notes application/json':
      return answerNote(content);
    case '/notes application/xml':
      return !/^<\?xml[^>]*>\s*<note><text>[^<]*<\/text><\/note>\s*$/u.test(content.toString())
        ? 400
        : faults.has('xml-fails')
          ? 500
          : 200;
    default:
      return 415;
  }
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const status = await answer(request);
  response.writeHead(request.method === 'POST' ? status : 405, { Allow: 'POST' }).end();
}

let server: Server;
let service = '';

beforeAll(async () => {
  await buildWhenStale();
  writeFileSync(join(folder, 'forms.json'), JSON.stringify(document));
  server = createServer((request, response) => void respond(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  service = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}, 2 * minute);

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

function runTest(...words: string[]): Promise<Ended> {
  return runCloche(['test', ...words, '--document', 'forms.json', '--seed', '3', '--runs', '30'], { folder });
}

test(
  'finds nothing in a service that reads forms correctly',
  async () => {
    const { code, stdout } = await runTest(service);
    expect(stdout).toContain('✓ POST /photos');
    expect(code).toBe(0);
  },
  minute,
);

test(
  'finds nothing in the mock',
  async () => {
    expect((await runTest()).code).toBe(0);
  },
  minute,
);

test(
  'finds a fault that only the second declared notation shows, and replays it',
  async () => {
    faults.clear();
    faults.add('xml-fails');
    const { code, stdout } = await runTest(service);
    expect(code).toBe(1);
    expect(stdout.match(/^VIOLATION .*/gmu)).toEqual([expect.stringMatching(/The service failed .*notes/u)]);
    expect(stdout).toMatch(
      /request +printf '.*<note><text>a+<\/text><\/note>.*Content-Type: application\/xml'/u,
    );
    const [, path = ''] = /--path '([^']+)'/u.exec(stdout) ?? [];
    expect((await runTest(service, '--path', path)).stdout).toMatch(/<text>a+<\/text>/u);
    faults.clear();
    expect((await runTest(service, '--path', path)).code).toBe(0);
  },
  minute,
);

test(
  'finds a service that does not validate the rows of a table',
  async () => {
    faults.clear();
    faults.add('id-unread');
    const { code, stdout } = await runTest(service);
    faults.clear();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^VIOLATION A body that breaks its schema was accepted .*prices/mu);
    expect(stdout).toMatch(/request +printf 'id,.*Content-Type: text\/csv'/u);
  },
  minute,
);

describe.skipIf(!hasBash)('prints requests that show the fault again (skipped without bash)', () => {
  test.each(
    drawCases(
      [
        ['name-ignored', 'A body that breaks its schema was accepted', /urlencoded' --data-binary ''$/u, 200],
        [
          'floor-unread',
          'A body that breaks its schema was accepted',
          /name="place"\\r\\nContent-Type: application\/json/u,
          200,
        ],
        ['memo-fails', 'The service failed', /Content-Type: text\/plain' --data-binary 'a'/u, 500],
      ] as const,
      3,
    ),
  )(
    '%s',
    async (fault, title, line, status) => {
      faults.clear();
      faults.add(fault);
      const { code, stdout } = await runTest(service);
      expect(code).toBe(1);
      const found = stdout.split('\n\n').find((part) => part.startsWith(`VIOLATION ${title}`)) ?? '';
      const [, request = ''] = /^ {2}request +(.*)$/mu.exec(found) ?? [];
      expect(request).toMatch(line);
      // The service is in this process, which must not wait for curl.
      const { stdout: printed } = await promisify(execFile)('bash', ['-c', request]);
      expect(printed).toContain(`HTTP/1.1 ${status}`);
    },
    minute,
  );
});
