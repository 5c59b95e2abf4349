import { describe, expect, test } from 'vitest';
import { allSuites } from '../suites/all-suites.ts';
import type { Contract } from './contract/contract.ts';
import { loadContract } from './contract/load.ts';
import { selectOperations } from './contract/select-operations.ts';
import { createTextStyle, escapeLine, toConsoleLine } from './errors/console-text.ts';
import { quoteWord } from './http/shell-quoting.ts';
import { addDocumentAnswers } from './policy/document-answers.ts';
import { checkPolicy } from './policy/policy-file.ts';
import { holdPolicy, type Policy } from './policy/policy.ts';
import { readPolicyFile, readRunAnswers } from './policy/read-policy.ts';
import { renderFinding } from './report/text/finding.ts';
import type { RunFinding } from './events/events.ts';
import { type Extension, openExtensions, registerExtensions } from './runner/extension.ts';
import { createRunCredentialHider } from './events/hide-credentials.ts';
import { runSuites } from './runner/run.ts';
import type { Property, Suite } from './runner/suite.ts';
import { openUrlTarget } from './session/url-target.ts';

/** Options of {@link testConformance}. */
export interface ConformanceOptions {
  /** The base URL of the service; a function if it is known only when the tests run. */
  readonly baseUrl: string | (() => string | Promise<string>);
  /** A token that the service accepts. */
  readonly token?: string;
  /** OpenAPI 2.0 to 3.2, a file or a URL. @defaultValue the document that ships with Cloche */
  readonly document?: string;
  /**
   * Policy values to enforce on the service for unspecified behaviour, or the path of a policy file.
   *
   * @defaultValue none
   */
  readonly policy?: string | Partial<Policy>;
  /** Cases to try for each property. @defaultValue 100 */
  readonly runs?: number;
  /** The seed of the cases. @defaultValue 1, which makes the verdict of a test repeatable */
  readonly seed?: number;
  /** The ids of the suites to run. @defaultValue all */
  readonly suites?: readonly string[];
  /** User-written checks, suites, hooks and formats. Each test is a run and calls the run hooks. @defaultValue none */
  readonly extensions?: readonly Extension[];
  /** The ids that creates may use, within 1 to 2^31−1. @defaultValue a random range for each property */
  readonly ids?: readonly [from: number, to: number];
  /** The number of connections for concurrent requests. @defaultValue 10 */
  readonly connections?: number;
  /** Time limit of one response, in milliseconds. @defaultValue 5000 */
  readonly timeoutMs?: number;
  /** Maximum number of bytes to read of a response; longer content is not judged. @defaultValue 16 MiB */
  readonly responseLimit?: number;
}

/** Time limit of all requests of one property, in milliseconds. */
const propertyTimeoutMs = 60_000;
const keysPerProperty = 100_000;

function drawKeys(): readonly [from: number, to: number] {
  const from = 1 + Math.floor(Math.random() * (2 ** 31 - 2 - keysPerProperty));
  return [from, from + keysPerProperty - 1];
}

async function readGiven(
  contract: Contract,
  policy: string | Partial<Policy> = {},
): Promise<Partial<Policy>> {
  if (typeof policy !== 'string') return addDocumentAnswers(checkPolicy(policy, contract), contract);
  const read = await readPolicyFile(policy);
  read.checkOperations(contract);
  return addDocumentAnswers(read.policy, contract);
}

/**
 * Turns each property of the conformance suites into a separate test of a service.
 *
 * @example
 * await testConformance({ baseUrl: 'http://127.0.0.1:8080', token: process.env.TOKEN });
 *
 * @throws ClocheError if the document cannot be used
 */
export async function testConformance(options: ConformanceOptions): Promise<void> {
  const { extensions = [] } = options;
  registerExtensions(extensions);
  const contract = await loadContract(options.document, { followReferences: false });
  const hide = createRunCredentialHider(contract);
  const answers = await readRunAnswers(contract.source);
  const given = await readGiven(contract, options.policy);
  const { policy } = holdPolicy({ beside: answers, given });

  async function runOne(suite: Suite, property: Property): Promise<readonly RunFinding[]> {
    const baseUrl = typeof options.baseUrl === 'string' ? options.baseUrl : await options.baseUrl();
    const { token, connections, timeoutMs, responseLimit } = options;
    const target = await openUrlTarget({
      contract,
      baseUrl,
      token,
      connections,
      timeoutMs,
      responseLimit,
      answers,
      given,
    });
    const only: Suite = { ...suite, plan: () => ({ kind: 'properties', properties: [property] }) };
    try {
      const result = await runSuites([only], target, {
        seed: options.seed ?? 1,
        runs: options.runs,
        connections,
        keys: options.ids ?? drawKeys(),
        rateWaitMs: propertyTimeoutMs / 2,
        extensions: extensions.map((extension) => ({ ...extension, suites: [] })),
      });
      return hide.result(result).findings.filter(({ finding }) => finding.level === 'violation');
    } finally {
      await target.close();
    }
  }

  function render(found: RunFinding): string {
    const baseUrl = typeof options.baseUrl === 'string' ? options.baseUrl : 'http://127.0.0.1:8080';
    const lines = renderFinding(found, {
      baseUrl,
      command: `npx cloche test ${quoteWord(baseUrl)}`,
      source: contract.source,
      secrets: options.token === undefined ? [] : [options.token],
      insecure: false,
      headers: [['Accept', '*/*']],
      paint: createTextStyle(false),
    });
    return lines.map((line) => toConsoleLine(line, false)).join('\n');
  }

  const { suites } = openExtensions(allSuites, extensions);
  const { targets } = selectOperations(contract, {});
  const tested = { ...contract, operations: targets };
  for (const suite of suites.filter(({ id }) => options.suites?.includes(id) ?? true)) {
    const plan = suite.plan({ contract: tested, policy, unsafeMethods: false });
    if (plan.kind === 'not-applicable') {
      test.skip(escapeLine(`${suite.id}: ${plan.reason}`), () => undefined);
      continue;
    }
    describe(suite.id, () => {
      for (const property of plan.properties) {
        test(escapeLine(`${property.id}: ${property.title}`), { timeout: propertyTimeoutMs }, async () => {
          const violations = await runOne(suite, property);
          expect(violations.map(render).join('\n\n')).toBe('');
        });
      }
    });
  }
}
