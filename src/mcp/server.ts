import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { readVersion } from '../document/package-manifest.ts';
import { escapeInStrings, escapeLine } from '../errors/console-text.ts';
import { parseJsonValue } from '../json/parse.ts';
import { indentJson } from '../json/print.ts';
import { toJson } from '../mock/control/api.ts';
import type { GivenRows } from '../mock/state/rows.ts';
import { type AgentSettings, createWorkspace, type Workspace } from './workspace.ts';

/** A server that is connected to standard input and output. */
export interface AgentServer {
  /** Stops the mock, and disconnects. */
  readonly close: () => Promise<void>;
}

interface ServerOptions extends AgentSettings {
  /** Returns the message for a thrown value. */
  readonly describe: (error: unknown) => string;
}

const files = {
  document: z
    .string()
    .optional()
    .describe('The path of the OpenAPI document, relative to the working directory'),
  policy: z
    .string()
    .optional()
    .describe('The path of a policy file: behaviour that the document does not specify'),
};

const instructions = `Cloche mocks an HTTP API from its OpenAPI document, and tests services against it.
Start with explain. start_mock serves a stateful mock for an app. run_tests tests a service, or the mock, and lists findings by id; read_finding shows one with its request. The document decides who is right: fix the service, or correct the document.`;

/** Renders JSON, with all digits of numbers. */
function renderJson(value: unknown): string {
  return escapeInStrings(indentJson(toJson(value)));
}

const renderText = (text: string): string => text.split('\n').map(escapeLine).join('\n');

/** Creates the function that turns the work of a tool into its result. An error becomes a result with its message. */
function createAnswer(describe: ServerOptions['describe']) {
  return async (work: () => Promise<string> | string): Promise<CallToolResult> => {
    try {
      return { content: [{ type: 'text', text: await work() }] };
    } catch (error) {
      return { isError: true, content: [{ type: 'text', text: renderText(describe(error)) }] };
    }
  };
}

type Answer = ReturnType<typeof createAnswer>;

function addMockTools(server: McpServer, workspace: Workspace, answer: Answer): void {
  const inputSchema = {
    ...files,
    port: z.int().min(0).max(65_535).optional().describe('0, the default, for any free port'),
    data: z.string().optional().describe('The path of a YAML or JSON file with initial resources'),
    data_count: z.int().min(0).max(10_000).optional().describe('Resources to generate in each collection'),
    seed: z.int().optional().describe('The seed of generated data'),
  };
  server.registerTool(
    'start_mock',
    {
      description:
        'Start a stateful mock of the document on a port of 127.0.0.1. It accepts any credentials, and stores what is created.',
      inputSchema,
    },
    async ({ data_count: dataCount, ...choice }) =>
      answer(async () => {
        const { url, contract } = await workspace.startMock({ ...choice, dataCount });
        const { title, version, operations } = contract;
        return renderJson({ url, title, version, operations: operations.map(({ id }) => id) });
      }),
  );
  server.registerTool(
    'seed_mock',
    {
      description: 'Add resources to the mock, all or none. They are checked like the body of a create.',
      inputSchema: {
        resources: z
          .record(z.string(), z.unknown())
          .describe('Resources by the path of their collection: { "/orders": [{ "id": 1 }] }'),
        mode: z.enum(['merge', 'replace']).optional().describe('replace empties the mock first'),
      },
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
      description: 'Return the resources of the mock, and its newest requests with their responses.',
      inputSchema: {
        limit: z.int().min(0).max(1_000).optional().describe('Requests to return; 20 by default'),
      },
      annotations: { readOnlyHint: true },
    },
    async ({ limit = 20 }) => answer(async () => renderJson(await workspace.inspectMock(limit))),
  );
  server.registerTool(
    'reset_mock',
    { description: 'Restore the initial data of the mock, and clear its request log.' },
    async () => answer(async () => workspace.resetMock().then(() => 'The mock is reset.')),
  );
  server.registerTool('stop_mock', { description: 'Stop the mock.' }, async () =>
    answer(async () => workspace.stopMock().then(() => 'The mock is stopped.')),
  );
}

function addTestTools(server: McpServer, workspace: Workspace, answer: Answer): void {
  server.registerTool(
    'explain',
    {
      description:
        'Explain what the document specifies: operations, resources, credentials, what it leaves open, and what a run checks.',
      inputSchema: files,
      annotations: { readOnlyHint: true },
    },
    async (choice) => answer(async () => renderJson(await workspace.explain(choice))),
  );
  server.registerTool(
    'run_tests',
    {
      description:
        'Test a service against the document with generated valid and invalid requests. Returns a short verdict with the ids of findings.',
      inputSchema: {
        ...files,
        target: z
          .string()
          .optional()
          .describe(
            'The base URL of the service, or "mock" for the mock that runs. Default: the service of cloche mcp, else the mock',
          ),
        operations: z
          .array(z.string())
          .optional()
          .describe('Ids of operations to test, with * as a wildcard. Default: all'),
        suites: z.array(z.string()).optional().describe('Ids of suites to run. Default: all'),
        seed: z.int().min(0).optional().describe('The seed of the cases. Default: 1'),
        max_time: z
          .number()
          .min(1)
          .max(3_600)
          .optional()
          .describe('The maximum time in seconds. Default: 45'),
        read_only: z.boolean().optional().describe('Send only GET, HEAD and OPTIONS'),
      },
    },
    async ({ max_time: maxTime = 45, read_only: readOnly, ...choice }, { signal }) =>
      answer(async () => renderText(await workspace.runTests({ ...choice, maxTime, readOnly }, signal))),
  );
  server.registerTool(
    'read_finding',
    {
      description:
        'Return one finding of the last run: the cause, the line of the document, the smallest request as a curl line, the response and the command that replays it.',
      inputSchema: { id: z.string().describe('The id of the finding, as run_tests lists it') },
      annotations: { readOnlyHint: true },
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
 * Opens a server of the Model Context Protocol on standard input and output. Nothing else may write there.
 *
 * @throws Error with the code ERR_MODULE_NOT_FOUND when this module is loaded without the package
 */
export async function openAgentServer({ describe, ...settings }: ServerOptions): Promise<AgentServer> {
  const workspace = createWorkspace(settings);
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
