import { memberAt } from '../../src/json/pointer.ts';
import { isJsonObject, type JsonObject } from '../../src/json/value.ts';
import { type ControlOperationId, controlLines, splitControlLine } from '../../src/mock/control/calls.ts';
import { createControlDocument } from '../../src/mock/control/document.ts';

const document = createControlDocument();

/** Returns a schema of the control document. */
export function controlSchema(name: string): JsonObject {
  const schema = memberAt(document, ['components', 'schemas', name]);
  if (!isJsonObject(schema)) throw new Error(`the control interface has no schema ${name}`);
  return schema;
}

/** An operation of the control document, with its method and its path. */
interface NamedControlOperation {
  readonly operationId: ControlOperationId;
  readonly method: string;
  readonly path: string;
  readonly declared: JsonObject;
}

/** The operations of the control interface, in the order of its document. */
export const controlOperations: readonly NamedControlOperation[] =
  // `as`: the keys of `controlLines` are the ids.
  (Object.keys(controlLines) as ControlOperationId[]).map((operationId) => {
    const [method, path] = splitControlLine(operationId);
    const declared = memberAt(document, ['paths', path, method.toLowerCase()]);
    if (!isJsonObject(declared)) throw new Error(`the control document lacks ${method} ${path}`);
    return { operationId, method, path, declared };
  });

/** The head of the page on the control interface: its clients, its responses. */
const controlDocsHead = `# The control interface

While a mock runs, \`/__cloche/\` shows and changes its state, its policy, its request log, its callbacks, its fault rules and its clock.
In a browser, \`/__cloche/\` is the inspector. [An OpenAPI document](../spec/control.openapi.json) describes the interface in full (\`cloche/spec/control.openapi.json\`, and
\`/__cloche/openapi.json\` of a running mock); this page lists the operations, with an example of each.

The shell commands \`cloche state\`, \`snapshot\`, \`requests\`, \`faults\`, \`policy\`, \`clock\`, \`webhook\` and \`reset\` do the same. They use the mock
at \`--mock URL\`, \`$CLOCHE_MOCK\`, or at the port that the configuration gives \`cloche mock\` (4010 by default); with \`--json\` they print its JSON. Any HTTP client works as well:

\`\`\`sh
MOCK=http://127.0.0.1:4010/__cloche # as in all examples below
curl "$MOCK/state"
curl -X POST "$MOCK/reset"
\`\`\`

A test with the mock in its own process does not need this: it has [\`mock.state\`, \`mock.requests\`](in-tests.md) and the rest.

## Who may use it

Programs on the same machine, if the mock listens on a loopback address. The request's \`Host\` must be
\`localhost\` or a loopback address. Of web pages, only the inspector may use it: the mock rejects requests
from another origin by their \`Origin\` and \`Sec-Fetch-Site\`, there is no CORS here, and a foreign name that resolves
to this machine (DNS rebinding) is not a loopback \`Host\`.

If the mock listens for other machines (\`--host 0.0.0.0\`), or a proxy forwards a request from one
(\`X-Forwarded-For\`, \`Forwarded\`, \`CF-Connecting-IP\` and the like), the request must carry the control token:

\`\`\`sh
cloche mock --host 0.0.0.0 --control-token "$CLOCHE_CONTROL_TOKEN"
curl -H "Authorization: Bearer $CLOCHE_CONTROL_TOKEN" http://mock.example:4010/__cloche/state
curl -H "Cloche-Control-Token: $CLOCHE_CONTROL_TOKEN" http://mock.example:4010/__cloche/state
\`\`\`

The second field is for clients that need \`Authorization\` for something else. The shell commands send \`--control-token\`, or
\`$CLOCHE_CONTROL_TOKEN\`. \`--no-control\` switches the interface off; its paths are then unknown paths of the contract.

## Responses

Requests and responses are JSON (\`Content-Type: application/json\`), and numbers keep every digit. A
change answers with the new state, or 204. A refused request changes nothing, and the response says why:
\`{ "code": 422, "message": "Failed to …" }\`, with \`rows\` where rows of data are invalid.

| status | |
| --- | --- |
| 400 | the request does not match the document, or repeats a query parameter, or has an unknown one |
| 401, 403 | the client may not use the interface: see above |
| 404 | there is no such resource, snapshot, rule or request |
| 413, 415 | the body is too large (64 MiB, a million rows), or not JSON |
| 422 | the request cannot be fulfilled: a row that does not fit the contract, a rule without an effect |
| 503 | the store does not answer |
`;

/** A request that shows an operation of the control interface at work. */
interface ControlExample {
  readonly operationId: ControlOperationId;
  /** Instead of the path of the document: with its parameters filled in, and a query. */
  readonly path?: string;
  /** A JSON text. */
  readonly body?: string;
  /** The command that does the same, without the name of the program. */
  readonly command?: string;
}

/** Examples in an order in which each of them works, on a mock of orders. */
const givenExamples: readonly ControlExample[] = [
  { operationId: 'getMockedDocument' },
  { operationId: 'getOperation', path: '/operations/createOrder' },
  { operationId: 'listTokens' },
  { operationId: 'getState', command: 'state' },
  {
    operationId: 'putResource',
    path: '/state/resources?collection=/orders',
    body: '{"id":7,"name":"Tea"}',
    command: `state put /orders '{"id":7,"name":"Tea"}'`,
  },
  {
    operationId: 'listResources',
    path: '/state/resources?collection=/orders&search=tea&limit=10',
    command: 'state list /orders --search tea --limit 10',
  },
  {
    operationId: 'getResource',
    path: '/state/resource?collection=/orders&key=7',
    command: 'state get /orders 7',
  },
  { operationId: 'exportState', command: 'state export' },
  {
    operationId: 'importState',
    path: '/state/import?mode=merge',
    body: '{"/orders":[{"id":8,"name":"Milk"},{"id":9,"name":"Sugar"}]}',
    command: 'state import orders.json --merge',
  },
  {
    operationId: 'deleteResource',
    path: '/state/resource?collection=/orders&key=9',
    command: 'state delete /orders 9',
  },
  { operationId: 'putSnapshot', path: '/snapshots/two-orders', command: 'snapshot save two-orders' },
  { operationId: 'listSnapshots', command: 'snapshot list' },
  {
    operationId: 'restoreSnapshot',
    path: '/snapshots/two-orders/restore',
    command: 'snapshot restore two-orders',
  },
  { operationId: 'deleteSnapshot', path: '/snapshots/two-orders', command: 'snapshot delete two-orders' },
  { operationId: 'reset', command: 'reset' },
  { operationId: 'reset', body: '{"parts":["state","requests"]}', command: 'reset --only state,requests' },
  { operationId: 'getPolicy', command: 'policy show' },
  {
    operationId: 'patchPolicy',
    body: '{"answers":{"duplicate-key":"conflict"}}',
    command: 'policy set duplicate-key=conflict',
  },
  {
    operationId: 'patchPolicy',
    body: '{"operations":{"createOrder":{"echo":"none"}},"answers":{"duplicate-key":null}}',
  },
  { operationId: 'deletePolicy', command: 'policy reset' },
  {
    operationId: 'createFault',
    body: '{"operation":"createOrder","times":3,"answer":{"status":503,"retryAfter":2}}',
    command: 'faults add status=503 retry-after=2 --operation createOrder --times 3',
  },
  { operationId: 'putFault', path: '/faults/slow', body: '{"delay":[200,900],"share":0.5}' },
  {
    operationId: 'putFault',
    path: '/faults/cut',
    body: '{"method":"POST","path":"/orders","connection":"drop","enabled":false}',
  },
  { operationId: 'listFaults', command: 'faults list' },
  { operationId: 'deleteFault', path: '/faults/slow', command: 'faults delete slow' },
  { operationId: 'clearFaults', command: 'faults clear' },
  {
    operationId: 'listRequests',
    path: '/requests?verdict=refused&limit=20',
    command: 'requests list --verdict refused --limit 20',
  },
  {
    operationId: 'listRequests',
    path: '/requests?operation=createOrder&after=0&times=1&wait=2000',
    command: 'requests list --operation createOrder --after 0 --times 1 --wait 2000',
  },
  { operationId: 'getRequest', path: '/requests/1', command: 'requests show 1' },
  {
    operationId: 'verifyRequests',
    body: '{"filter":{"operation":"createOrder","body":{"name":"Tea"}},"times":1}',
    command: `requests verify --operation createOrder --body '{"name":"Tea"}' --times 1`,
  },
  { operationId: 'clearRequests', command: 'requests clear' },
  {
    operationId: 'sendWebhook',
    path: '/webhooks/orderShipped',
    body: '{"url":"http://127.0.0.1:9000/hooks","body":{"id":1}}',
    command: `webhook orderShipped --to http://127.0.0.1:9000/hooks --body '{"id":1}'`,
  },
  { operationId: 'getClock', command: 'clock show' },
  {
    operationId: 'putClock',
    body: '{"now":"2026-03-01T08:00:00Z","frozen":true}',
  },
  { operationId: 'advanceClock', body: '{"ms":3600000}', command: 'clock advance 1h' },
];

/** An example at least of each operation: its line alone if there is no better one. */
export const controlExamples: readonly ControlExample[] = [
  ...controlOperations
    .filter(({ operationId }) => !givenExamples.some((given) => given.operationId === operationId))
    .map(({ operationId }) => ({ operationId })),
  ...givenExamples,
];

/** What belongs together in the page. */
interface Section {
  readonly title: string;
  readonly about: string;
  /** The schemas of bodies whose members are told. */
  readonly schemas: readonly (readonly [name: string, schema: JsonObject])[];
}

/** By the first word of the path. */
const sections: Readonly<Record<string, Section>> = {
  'openapi.json': { title: 'The service', about: '', schemas: [] },
  state: {
    title: 'State',
    about:
      'A collection is named by its concrete path, `/shops/7/orders`. What is put or imported is checked as the body of a create is.',
    schemas: [],
  },
  snapshots: {
    title: 'Snapshots',
    about: [
      'What a changed document does not take any more is in `set-aside`. A mock that starts on a store does not look through',
      'it: where the document was changed while none ran, save a snapshot and restore it, and all of it is judged anew.',
    ].join('\n'),
    schemas: [],
  },
  reset: {
    title: 'Reset',
    about: 'The parts are `state`, `faults`, `requests`, `clock` and `policy`.',
    schemas: [],
  },
  policy: {
    title: 'Policy',
    about: 'The questions and their answers are those of [policy.md](policy.md).',
    schemas: [],
  },
  faults: {
    title: 'Faults',
    about:
      'What makes requests go wrong. A rule has a `delay`, an `answer`, a `connection`, or a `delay` beside one of them. `cloche mock --faults FILE` starts with the rules of a file, JSON or YAML (`cloche/faults.schema.json`).',
    schemas: [
      ['a rule', controlSchema('FaultRule')],
      ['`answer`', controlSchema('ForcedAnswer')],
    ],
  },
  requests: {
    title: 'Requests',
    about:
      'Each is listed with its verdict, with what was wrong with it and the clause of the document that says so, with what was sent and what came back, and as a curl line. Credentials are left out.',
    schemas: [['`filter`', controlSchema('RequestFilter')]],
  },
  callbacks: {
    title: 'Callbacks and webhooks',
    about:
      'Each callback and webhook is listed with its URL, its body and its outcome: `sent`, `failed`, `refused` or `off`; see [callbacks.md](callbacks.md).',
    schemas: [['a callback', controlSchema('SentCallback')]],
  },
  clock: {
    title: 'Clock',
    about: 'Rate limits, the log and the Date field use it.',
    schemas: [],
  },
};

function sectionOf({ path }: NamedControlOperation): string {
  const [, word = ''] = path.split('/');
  if (word === 'webhooks') return 'callbacks';
  return ['service', 'document', 'operations', 'tokens'].includes(word) ? 'openapi.json' : word;
}

function nameOf({ method, path }: NamedControlOperation): string {
  return `${method} ${path}`;
}

function textOf(holder: JsonObject, name: string): string {
  const text = holder[name];
  return typeof text === 'string' ? text : '';
}

function renderRow(operation: NamedControlOperation): string {
  const commands = controlExamples.flatMap(({ operationId, command }) =>
    command === undefined || operationId !== operation.operationId ? [] : [command],
  );
  const [command] = commands;
  const shell = command === undefined ? '' : `\`cloche ${command.replaceAll('|', '\\|')}\``;
  return `| \`${nameOf(operation)}\` | ${textOf(operation.declared, 'summary')} | ${shell} |`;
}

function queryOf({ declared: { parameters } }: NamedControlOperation): readonly JsonObject[] {
  const all = Array.isArray(parameters) ? parameters.filter((each) => isJsonObject(each)) : [];
  return all.filter((parameter) => parameter['in'] === 'query');
}

/** What the queries of a section may hold, each parameter once. */
function renderQuery(operations: readonly NamedControlOperation[]): readonly string[] {
  const described = new Map(
    operations.flatMap(queryOf).map((parameter) => [textOf(parameter, 'name'), parameter]),
  );
  if (described.size === 0) return [];
  const lines = [...described].map(([name, parameter]) => {
    const takers = operations.filter((each) => queryOf(each).some((one) => one['name'] === name));
    const where = takers.map((taker) => `\`${nameOf(taker)}\``).join(', ');
    return `| \`${name}\` | ${where} | ${textOf(parameter, 'description').replace(/\.$/u, '')} |`;
  });
  return ['| in the query | of | |', '| --- | --- | --- |', ...lines, ''];
}

function renderMembers(name: string, { properties = {} }: JsonObject): readonly string[] {
  const lines = Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([member, schema]) =>
    isJsonObject(schema) && schema['readOnly'] !== true
      ? [`| \`${member}\` | ${textOf(schema, 'description').replace(/\.$/u, '')} |`]
      : [],
  );
  return [`| in ${name} | |`, '| --- | --- |', ...lines, ''];
}

/** The curl line of an example, with the URL of the interface in `$MOCK`. */
function renderCurl(
  operation: NamedControlOperation,
  { path = operation.path, body }: ControlExample,
): string {
  const { method } = operation;
  const usual = body === undefined ? 'GET' : 'POST';
  return [
    'curl',
    ...(method === usual ? [] : ['-X', method]),
    `"$MOCK${path}"`,
    ...(body === undefined ? [] : ['--json', `'${body}'`]),
  ].join(' ');
}

function renderSection(word: string, { title, about, schemas }: Section): string {
  const operations = controlOperations.filter((operation) => sectionOf(operation) === word);
  const curls = controlExamples.flatMap((example) =>
    operations
      .filter(({ operationId }) => operationId === example.operationId)
      .map((operation) => renderCurl(operation, example)),
  );
  return [
    `## ${title}`,
    '',
    '| request | what it does | from a shell |',
    '| --- | --- | --- |',
    ...operations.map(renderRow),
    '',
    '```sh',
    ...curls,
    '```',
    '',
    ...(about === '' ? [] : [about, '']),
    ...renderQuery(operations),
    ...schemas.flatMap(([name, schema]) => renderMembers(name, schema)),
  ].join('\n');
}

/** The page on the control interface for whoever uses it: who may, each operation, and an example of each. */
export function renderControlDocs(): string {
  const parts = Object.entries(sections).map(([word, section]) => renderSection(word, section));
  return `${[controlDocsHead, ...parts].join('\n').trimEnd()}\n`;
}
