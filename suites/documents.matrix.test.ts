import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { drawCases } from '../fixtures/draw-cases.ts';
import { changeAnswer } from '../fixtures/change-answer.ts';
import { describeFindings } from '../fixtures/describe-findings.ts';
import { mockToken, runOnMock } from '../fixtures/run-on-mock.ts';
import { createSecondOpinion } from '../fixtures/second-opinion.ts';
import type { Level } from '../src/check/finding.ts';
import type { CheckedExchange } from '../src/check/classify/subject.ts';
import type { Contract, Operation } from '../src/contract/contract.ts';
import { loadContract } from '../src/contract/load.ts';
import type { RunResult } from '../src/events/events.ts';
import type { HttpResponse, Send } from '../src/http/message.ts';
import { createMock } from '../src/mock/create-mock.ts';

const folder = new URL('../fixtures/documents/', import.meta.url);
const names = readdirSync(folder).filter((name) => /\.(?:yaml|json)$/u.test(name));

function load(name: string): Promise<Contract> {
  return loadContract(fileURLToPath(new URL(name, folder)), { followReferences: false });
}

const serious: readonly Level[] = ['violation', 'warning'];

/** Values that prism-http cannot judge, with the reason. */
const blindSpots: Readonly<Record<string, string>> = {
  'nullable.yaml addBook 201':
    'Prism adds null to an enum that has it, and what it cannot compile then it lets pass.',
  'two-creates.yaml addBook 401': 'The document declares no 401, and nothing of its body.',
  'two-creates.yaml addReader 401': 'The document declares no 401, and nothing of its body.',
};

interface Outcome {
  readonly result: RunResult;
  /** An answer of each operation and status: `addOrder 400`. */
  readonly seen: ReadonlyMap<string, CheckedExchange>;
}

async function run(input: {
  readonly contract: Contract;
  readonly runs: number;
  readonly tamper?: (response: HttpResponse) => HttpResponse;
  readonly onExchange?: (judged: CheckedExchange) => void;
}): Promise<Outcome> {
  const { contract, runs, tamper, onExchange } = input;
  const mock = await createMock(contract, { tokens: [mockToken] });
  const seen = new Map<string, CheckedExchange>();
  const send: Send = async (request, options) => {
    const answer = await mock.send(request, options);
    return answer.kind === 'response' && tamper !== undefined
      ? { ...answer, response: tamper(answer.response) }
      : answer;
  };
  const result = await runOnMock({
    mock,
    send,
    runs,
    emit(event) {
      if (event.kind !== 'exchange') return;
      const { judged } = event;
      onExchange?.(judged);
      if (judged.operation !== undefined && judged.answer.kind === 'response') {
        seen.set(`${judged.operation.id} ${judged.answer.response.status}`, judged);
      }
    },
  });
  return { result, seen };
}

function isSuccess({ answer }: CheckedExchange): boolean {
  return answer.kind === 'response' && answer.response.status >= 200 && answer.response.status < 300;
}

/** Whether only who knows the id of an item that is there gets a success, which no suite does. */
function needsItem({ kind }: Operation): boolean {
  if (kind.kind === 'sample' || !kind.resource.isKept) return false;
  return kind.resource.parent !== undefined || !['create', 'list'].includes(kind.kind);
}

describe.each(drawCases(names, 4))('%s', (name) => {
  test('is mocked without a violation, and without a warning', async () => {
    const contract = await load(name);
    const opinion = await createSecondOpinion(contract);
    const { result, seen } = await run({
      contract,
      runs: 25,
      onExchange: (judged) => opinion.consider(judged),
    });
    expect(describeFindings(result, serious)).toEqual([]);
    const succeeded = new Set(
      [...seen.values()].flatMap((judged) => (isSuccess(judged) ? [judged.operation] : [])),
    );
    const missed = contract.operations.filter(
      (operation) => !succeeded.has(operation) && !needsItem(operation),
    );
    expect(missed.map(({ id }) => id)).toEqual([]);
    expect(opinion.complaints()).toEqual([]);
    expect(opinion.considered()).not.toBe(0);
  });

  test('is judged by a second opinion, of Prism, that can complain', async () => {
    const contract = await load(name);
    const { seen } = await run({ contract, runs: 5 });
    const missed: string[] = [];
    for (const [place, judged] of seen) {
      const opinion = await createSecondOpinion(contract);
      opinion.consider(
        changeAnswer(judged, (response) => ({ ...response, body: new TextEncoder().encode('true') })),
      );
      const isText = judged.answer.kind === 'response' && judged.answer.content.kind !== 'json';
      if (opinion.complaints().length === 0 && !isText) {
        missed.push(`${name} ${place}`);
      }
    }
    expect(missed).toEqual(Object.keys(blindSpots).filter((place) => place.startsWith(`${name} `)));
  });
});

function withoutHeader(name: string) {
  return (response: HttpResponse): HttpResponse => ({
    ...response,
    headers: response.headers.filter(([field]) => field.toLowerCase() !== name),
  });
}

function replaceInBody(pattern: RegExp, by: string) {
  return (response: HttpResponse): HttpResponse => ({
    ...response,
    body: new TextEncoder().encode(new TextDecoder().decode(response.body).replace(pattern, by)),
  });
}

test.each([
  ['server-made-id.yaml', 'an answer without its Location', 'response-header', withoutHeader('location')],
  [
    'nullable.yaml',
    'a price that is a text',
    'response-schema',
    replaceInBody(/"price":([\d.]+)/u, '"price":"$1"'),
  ],
  [
    'parameters.yaml',
    'a status that is not declared',
    'undeclared-status',
    (response: HttpResponse) => ({ ...response, status: response.status === 201 ? 200 : response.status }),
  ],
  ['samples.yaml', 'a report without its unit', 'response-schema', replaceInBody(/"unit":/u, '"units":')],
  [
    'recursive.yaml',
    'a block of another kind',
    'response-schema',
    replaceInBody(/"kind":"text"/u, '"kind":"words"'),
  ],
  ['api-key.yaml', 'another model', 'echo', replaceInBody(/"model":"\w/u, '"model":"_')],
  ['feeds.yaml', 'another title in its envelope', 'echo', replaceInBody(/"title":"\w/u, '"title":"_')],
  [
    'ranges.json',
    'a failing answer',
    'server-error',
    (response: HttpResponse) => ({
      ...response,
      status: response.status === 200 ? 500 : response.status,
    }),
  ],
])('a mock of %s that gives %s is found by %s', async (name, _fault, check, tamper) => {
  const { result } = await run({ contract: await load(name), runs: 20, tamper });
  const found = result.findings.filter(({ finding }) => finding.level === 'violation');
  expect(found.map(({ finding }) => finding.check)).toContain(check);
});
