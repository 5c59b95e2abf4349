import { once } from 'node:events';
import { ClocheError } from '../../errors/cloche-error.ts';
import type { ArgumentsOf, Given } from '../../config/command-options.ts';
import { parseHeader, parseServiceUrl, readArguments, readToken } from '../arguments.ts';
import { describeThrown, waitForSignal } from '../process.ts';
import { toSelection } from '../selection.ts';
import type { mcpCommand } from './mcp.ts';

async function loadServer() {
  try {
    return await import('../../mcp/server.ts');
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing) throw cause;
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'start',
      subject: 'cloche mcp',
      reason: 'the package @modelcontextprotocol/sdk is not installed',
      remedy: 'Run "npm install @modelcontextprotocol/sdk"',
      cause,
    });
  }
}

/**
 * Runs `cloche mcp` until its client closes standard input, or a signal stops it.
 *
 * @throws ClocheError OPTION_INVALID for options that cannot be used, or if the package is not installed
 */
export async function runMcp(words: Given<ArgumentsOf<typeof mcpCommand>>): Promise<void> {
  const input = readArguments(words);
  const { 'base-url': url, document, policy, token, isolated } = input;
  // A configuration may name the in-process mock.
  const baseUrl = url === undefined || url === 'mock' ? undefined : parseServiceUrl(url);
  const { openAgentServer } = await loadServer();
  const settings = {
    folder: process.cwd(),
    document,
    policy,
    baseUrl,
    token: readToken(token),
    headers: input.header.map(parseHeader),
    reading: { overlays: input['overlay-in'], isStrict: input['strict-document'] },
    selection: toSelection(input),
    readOnly: input['read-only'],
    isolated,
  };
  const server = await openAgentServer(settings, (error) => describeThrown(error).text);
  await Promise.race([waitForSignal(), once(process.stdin, 'end'), once(process.stdin, 'close')]);
  await server.close();
}
