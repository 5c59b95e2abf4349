import { isJsonObject } from '../../../json/is-json-object.ts';
import type { JsonObject } from '../../../json/json-value.ts';
import type { ControlOperation } from '../control-operation.ts';
import { controlOperations } from '../control-operations.ts';
import { faultSchemas } from '../schemas/fault-schemas.ts';
import { requestSchemas } from '../schemas/request-schemas.ts';
import { controlDocsHead } from './control-docs-head.ts';
import { type ControlExample, controlExamples } from './control-examples.ts';

/** What belongs together in the page. */
interface Section {
  readonly title: string;
  readonly about: string;
  /** The schemas of bodies whose members are told. */
  readonly schemas: readonly (readonly [name: string, schema: JsonObject | undefined])[];
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
      'What makes requests go wrong. A rule has a `delay`, an `answer`, a `connection`, or a `delay` beside one of them.',
    schemas: [
      ['a rule', faultSchemas['FaultRule']],
      ['`answer`', faultSchemas['ForcedAnswer']],
    ],
  },
  requests: {
    title: 'Requests',
    about:
      'Each is listed with its verdict, with what was wrong with it and the clause of the document that says so, with what was sent and what came back, and as a curl line. Credentials are left out.',
    schemas: [['`filter`', requestSchemas['RequestFilter']]],
  },
  clock: {
    title: 'Clock',
    about: 'Rate limits, the log and the field Date go by it.',
    schemas: [],
  },
};

function sectionOf({ path }: ControlOperation): string {
  const [, word = ''] = path.split('/');
  return word === 'service' ? 'openapi.json' : word;
}

function nameOf({ method, path }: ControlOperation): string {
  return `${method.toUpperCase()} ${path}`;
}

function textOf(holder: JsonObject, name: string): string {
  const text = holder[name];
  return typeof text === 'string' ? text : '';
}

function renderRow(operation: ControlOperation): string {
  const commands = controlExamples.flatMap(({ operationId, command }) =>
    command === undefined || operationId !== operation.declares['operationId'] ? [] : [command],
  );
  const [command] = commands;
  const shell = command === undefined ? '' : `\`cloche ${command.replaceAll('|', '\\|')}\``;
  return `| \`${nameOf(operation)}\` | ${textOf(operation.declares, 'summary')} | ${shell} |`;
}

function queryOf({ declares: { parameters = [] } }: ControlOperation): readonly JsonObject[] {
  const described = Array.isArray(parameters) ? parameters.filter(isJsonObject) : [];
  return described.filter((parameter) => parameter['in'] === 'query');
}

/** What the queries of a section may hold, each parameter once. */
function renderQuery(operations: readonly ControlOperation[]): readonly string[] {
  const described = new Map(
    operations.flatMap(queryOf).map((parameter) => [textOf(parameter, 'name'), parameter]),
  );
  if (described.size === 0) {
    return [];
  }
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
function renderCurl(operation: ControlOperation, { path = operation.path, body }: ControlExample): string {
  const method = operation.method.toUpperCase();
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
      .filter(({ declares }) => declares['operationId'] === example.operationId)
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
    ...schemas.flatMap(([name, schema]) => renderMembers(name, schema ?? {})),
  ].join('\n');
}

/** The page on the control interface for whoever uses it: who may, each operation, and an example of each. */
export function renderControlDocs(): string {
  const parts = Object.entries(sections).map(([word, section]) => renderSection(word, section));
  return `${[controlDocsHead, ...parts].join('\n').trimEnd()}\n`;
}
