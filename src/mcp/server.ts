import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import * as z from 'zod';
import { readVersion } from '../document/package-manifest.ts';
import { escapeInStrings } from '../errors/console-text.ts';
import { parseJsonValue } from '../json/parse.ts';
import { indentJson } from '../json/print.ts';
import { toJson } from '../mock/control/api.ts';
import type { GivenRows } from '../mock/state/rows.ts';
import { allSuites } from '../../suites/all-suites.ts';
import { type Answer, createAnswer, renderText } from './answer.ts';
import { type AgentSettings, Workspace } from './workspace.ts';

const files = {
  document: z
    .string()
    .optional()
    .describe(
      'The path of the OpenAPI document, relative to the working directory. Default: that of cloche mcp or its configuration',
    ),
  policy: z
    .string()
    .optional()
    .describe('The path of a policy file: behaviour that the document does not specify'),
};

const operations = z
  .array(z.string())
  .optional()
  .describe('Ids of operations, or method and path as in "GET /orders/*"; * is a wildcard. Default: all');

const suiteIds = allSuites.map(({ id }) => id).join(', ');

/** Effects of a tool, of which a client warns. The tools reach no service but the mock, unless a hint says so. */
const readsOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
const adds = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
const clears = { ...adds, destructiveHint: true, idempotentHint: true };

/** Creates the schema of the arguments of a tool. An unknown argument is an error, which names the known ones. */
function onlyThese<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown argument ${issue.keys.join(', ')}; ${known === '' ? 'it has none' : `it has ${known}`}`
        : undefined,
  });
}

const instructions = `Cloche mocks an HTTP API from its OpenAPI document, and tests services against it.
Start with explain. Every tool but seed_mock and read_finding works without arguments if cloche mcp has a document. start_mock serves a stateful mock for an app. run_tests tests a service, or the mock, and lists findings by id; read_finding shows one with its request. The document decides who is right: fix the service, or correct the document.`;

/** Renders JSON, with all digits of numbers. */
function renderJson(value: unknown): string {
  return escapeInStrings(indentJson(toJson(value)));
}

function addMockTools(server: McpServer, workspace: Workspace, answer: Answer): void {
  const inputSchema = onlyThese({
    ...files,
    port: z.int().min(0).max(65_535).optional().describe('0, the default, for any free port'),
    data: z
      .string()
      .optional()
      .describe(
        'The path of a YAML or JSON file with initial resources by the path of their collection: /orders: [{ id: 1 }]',
      ),
    data_count: z.int().min(0).max(10_000).optional().describe('Resources to generate in each collection'),
    seed: z.int().optional().describe('The seed of generated data'),
  });
  server.registerTool(
    'start_mock',
    {
      description:
        'Start a stateful mock of the document on a port of 127.0.0.1. It accepts any credentials, and stores what is created. Returns its URL, the operations and the number of items in each collection.',
      inputSchema,
      annotations: adds,
    },
    async ({ data_count: dataCount, ...choice }) =>
      answer(async () => {
        const { url, contract, items } = await workspace.startMock({ ...choice, dataCount });
        const { title, version } = contract;
        return renderJson({
          url,
          title,
          version,
          operations: contract.operations.map(({ id }) => id),
          items,
        });
      }),
  );
  server.registerTool(
    'seed_mock',
    {
      description:
        'Add resources to the mock, all or none, and return the ids of the new ones. They are checked like the body of a create.',
      inputSchema: onlyThese({
        resources: z
          .record(z.string(), z.unknown())
          .describe('Resources by the path of their collection: { "/orders": [{ "id": 1 }] }'),
        mode: z
          .enum(['merge', 'replace'])
          .optional()
          .describe(
            'merge, the default, keeps the others and replaces an item with the same id; replace empties the mock first',
          ),
      }),
      annotations: { ...clears, idempotentHint: false },
    },
    async ({ resources, mode = 'merge' }) =>
      answer(async () => {
        // `as`: the import checks each row.
        const rows = parseJsonValue(JSON.stringify(resources)) as unknown as GivenRows;
        return renderJson(await workspace.seedMock(rows, mode));
      }),
  );
  server.registerTool(
    'inspect_mock',
    {
      description:
        'Return the collections of the mock with their counts and its newest requests, a line for each; with collection its items, with request one request and its response in full.',
      inputSchema: onlyThese({
        collection: z.string().optional().describe('The path of a collection, as in /orders'),
        request: z
          .union([z.int(), z.string()])
          .optional()
          .describe('The number of a request, as its line begins'),
        limit: z.int().min(0).max(1_000).optional().describe('Requests or items to return; 20 by default'),
      }),
      annotations: readsOnly,
    },
    async ({ limit = 20, ...part }) =>
      answer(async () => renderText(await workspace.inspectMock({ ...part, limit }))),
  );
  server.registerTool(
    'reset_mock',
    {
      description:
        'Restore the initial data of the mock, and clear its request log. Seeded items and those of runs are removed.',
      inputSchema: onlyThese({}),
      annotations: clears,
    },
    async () => answer(async () => workspace.resetMock().then(() => 'The mock is reset.')),
  );
  server.registerTool(
    'stop_mock',
    {
      description: 'Stop the mock. Its resources are lost.',
      inputSchema: onlyThese({}),
      annotations: clears,
    },
    async () => answer(async () => workspace.stopMock().then(() => 'The mock is stopped.')),
  );
}

function addTestTools(server: McpServer, workspace: Workspace, answer: Answer): void {
  server.registerTool(
    'explain',
    {
      description:
        'Explain what the document specifies: operations, resources, credentials, what it leaves open, and what a run checks. A long text is cut off; operations narrows it.',
      inputSchema: onlyThese({ ...files, operations }),
      annotations: readsOnly,
    },
    async (choice) => answer(async () => renderText(await workspace.explain(choice))),
  );
  server.registerTool(
    'run_tests',
    {
      description:
        'Test a service against the document with generated valid and invalid requests. Returns a short verdict with the ids of findings. What a run creates on the mock stays until reset_mock.',
      inputSchema: onlyThese({
        ...files,
        target: z
          .string()
          .optional()
          .describe(
            'The base URL of the service, or "mock" for the mock that runs. Default: the service of cloche mcp, else the mock',
          ),
        operations: operations.describe(
          'Ids of operations to test, or method and path as in "GET /orders/*"; * is a wildcard. Other operations may still create the items that these need, unless isolated is true; nothing is reported about them. Default: all',
        ),
        isolated: z
          .boolean()
          .optional()
          .describe('Never send other operations than those, not even to create items'),
        suites: z.array(z.string()).optional().describe(`Suites to run, of ${suiteIds}. Default: all`),
        seed: z.int().min(0).optional().describe('The seed of the cases. Default: 1'),
        max_time: z
          .number()
          .min(1)
          .max(3_600)
          .optional()
          .describe('The maximum time in seconds. Default: 45'),
        read_only: z.boolean().optional().describe('Send only GET, HEAD and OPTIONS'),
      }),
      annotations: { ...clears, idempotentHint: false, openWorldHint: true },
    },
    async ({ max_time: maxTime = 45, read_only: readOnly, ...choice }, { signal }) =>
      answer(async () => renderText(await workspace.runTests({ ...choice, maxTime, readOnly }, signal))),
  );
  server.registerTool(
    'read_finding',
    {
      description:
        'Return one finding of the last run: the cause, the line of the document, the smallest request as a curl line, the response and the command that replays it.',
      inputSchema: onlyThese({ id: z.string().describe('The id of the finding, as run_tests lists it') }),
      annotations: readsOnly,
    },
    async ({ id }) => answer(() => renderText(workspace.readFinding(id))),
  );
}

function addResources(server: McpServer, workspace: Workspace): void {
  const add = (
    name: string,
    how: { readonly description: string; readonly mimeType: string; readonly read: () => Promise<string> },
  ): void => {
    const { description, mimeType, read } = how;
    server.registerResource(name, `cloche://${name}`, { description, mimeType }, async ({ href }) => ({
      contents: [{ uri: href, mimeType, text: await read() }],
    }));
  };
  add('document', {
    description: 'The OpenAPI document that was used last',
    mimeType: 'text/plain',
    read: () => workspace.readUsed('document'),
  });
  add('policy', {
    description: 'The policy file that was used last',
    mimeType: 'text/plain',
    read: () => workspace.readUsed('policy'),
  });
  add('report', {
    description: 'The report of the last run, which cloche/report.schema.json describes',
    mimeType: 'application/json',
    read: async () => escapeInStrings(workspace.readReport()),
  });
}

/**
 * Opens a server of the Model Context Protocol on standard input and output. Nothing else may write there. `close` stops
 * the mock, and disconnects.
 *
 * @param describe - returns the message for a thrown value
 * @throws Error with the code ERR_MODULE_NOT_FOUND when this module is loaded without the package
 */
export async function openAgentServer(
  settings: AgentSettings,
  describe: (error: unknown) => string,
): Promise<Pick<Workspace, 'close'>> {
  const workspace = new Workspace(settings);
  const server = new McpServer({ name: 'cloche', version: readVersion() }, { instructions });
  const answer = createAnswer(describe);
  addTestTools(server, workspace, answer);
  addMockTools(server, workspace, answer);
  addResources(server, workspace);
  await server.connect(new StdioServerTransport());
  return {
    async close() {
      await workspace.close();
      await server.close();
    },
  };
}
