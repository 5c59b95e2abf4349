import type { RequestCase } from '../arbitrary/request-case.ts';
import { registerArbitraries, type UserArbitraries } from '../arbitrary/user-arbitraries.ts';
import { checks } from '../check/checks/all-checks.ts';
import type { Check } from '../check/define-check.ts';
import { listJudges } from '../check/judge.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { registerCodec, type UserCodec } from '../http/codecs/registry.ts';
import type { Exchange, HttpRequest, Send } from '../http/message.ts';
import { registerFormat, type TextFormat } from '../schema/formats.ts';
import type { RunResult } from '../events/events.ts';
import type { RunSettings, RunTarget } from '../session/target.ts';
import type { Suite } from './suite.ts';

/** Functions that a run calls. The run waits for their promises. */
export interface Hooks {
  /** Called before the first request of a run. */
  readonly beforeRun?: (run: Pick<RunTarget, 'contract' | 'baseUrl'>) => void | Promise<void>;
  /**
   * Called with each case of a request before its ids and credentials are filled in. The case that it returns is sent
   * instead, and reports show it. It is called once for a case, even if the case is sent again.
   */
  readonly beforeCase?: (request: RequestCase) => RequestCase | undefined | Promise<RequestCase | undefined>;
  /**
   * Called before each request. The request that it returns is sent instead. Reports show the original request, without
   * any signature.
   */
  readonly beforeRequest?: (
    request: HttpRequest,
  ) => HttpRequest | undefined | Promise<HttpRequest | undefined>;
  /** Called after each response, with the request that was sent. */
  readonly afterResponse?: (exchange: Exchange) => void | Promise<void>;
  /** Called at the end of a run, with its result; undefined if the run failed. */
  readonly afterRun?: (result: RunResult | undefined) => void | Promise<void>;
}

/** Checks, suites, hooks, formats and codecs that a user adds to a run. */
export interface Extension {
  /** Their ids start with `x-`. A check of several exchanges must also be in `traceChecks` of a suite's property. */
  readonly checks?: readonly Check[];
  /** They run after the suites of Cloche. */
  readonly suites?: readonly Suite[];
  readonly hooks?: Hooks;
  /** String formats by name, for validation and for generated requests. They apply to the whole process. */
  readonly formats?: Readonly<Record<string, TextFormat>>;
  /** They read and write the content of further media types, in the whole process. */
  readonly codecs?: readonly UserCodec[];
  /** They generate valid values of parameters and request bodies, in the whole process. */
  readonly generate?: UserArbitraries;
}

/**
 * Defines an extension of a run.
 *
 * @example
 * const extension = defineExtension({ checks: [requestId], suites: [rateLimit], hooks: { beforeRequest: sign } });
 */
export function defineExtension(extension: Extension): Extension {
  return extension;
}

/**
 * Defines a suite.
 *
 * @example
 * const plan = ({ contract }) => ({ kind: 'properties', properties: contract.operations.map(toProperty) });
 * const twice = defineSuite({ id: 'twice', title: 'A request sent twice', plan });
 */
export function defineSuite(suite: Suite): Suite {
  return suite;
}

/** The merged extensions of a run. */
interface OpenExtensions extends Pick<RunSettings, 'judges'> {
  readonly suites: readonly Suite[];
  readonly hooks: readonly Hooks[];
}

/** The built-in checks. */
const builtIn: Extension = { checks: Object.values(checks) };

/**
 * Registers the formats, codecs and arbitraries of extensions for the whole process. Documents that are read afterwards use them.
 *
 * @throws ClocheError OPTION_INVALID for a known format, or a codec that matches JSON
 */
export function registerExtensions(extensions: readonly Extension[]): void {
  for (const [name, format] of extensions.flatMap(({ formats = {} }) => Object.entries(formats))) {
    if (!registerFormat(name, format)) {
      const reason = 'a format of this name is already known';
      throw refuse('register the format', { subject: name, reason, remedy: 'Choose another name' });
    }
  }
  extensions.forEach(({ generate = {} }) => registerArbitraries(generate));
  for (const codec of extensions.flatMap(({ codecs = [] }) => codecs)) {
    if (!registerCodec(codec)) {
      const reason = 'Cloche reads JSON itself';
      const remedy = 'Let "matches" return false for it';
      throw refuse('register the codec of', { subject: 'application/json', reason, remedy });
    }
  }
}

/**
 * Registers the checks, suites, hooks, formats and codecs of extensions, after those of Cloche.
 *
 * @throws ClocheError OPTION_INVALID for a duplicate id, a check whose id does not start with `x-`, and as
 * {@link registerExtensions}
 */
export function openExtensions(
  suites: readonly Suite[],
  extensions: readonly Extension[] = [],
): OpenExtensions {
  const all = [{ ...builtIn, suites }, ...extensions];
  const joined = {
    checks: all.flatMap((extension) => extension.checks ?? []),
    suites: all.flatMap((extension) => extension.suites ?? []),
    hooks: all.flatMap((extension) => extension.hooks ?? []),
  };
  refuseRepeated('check', joined.checks);
  refuseRepeated('suite', joined.suites);
  const unprefixed = joined.checks.find(({ id }) => !id.startsWith('x-') && !Object.hasOwn(checks, id));
  if (unprefixed !== undefined) {
    const reason = 'the id of a check of your own starts with "x-"';
    throw refuse('register the check', {
      subject: unprefixed.id,
      reason,
      remedy: `Call it "x-${unprefixed.id}"`,
    });
  }
  registerExtensions(extensions);
  return { judges: listJudges(joined.checks), suites: joined.suites, hooks: joined.hooks };
}

function refuseRepeated(kind: 'check' | 'suite', all: readonly { readonly id: string }[]): void {
  const repeated = all.find(({ id }, index) => all.findIndex((other) => other.id === id) < index);
  if (repeated !== undefined) {
    const reason = `another ${kind} has this id`;
    throw refuse(`register the ${kind}`, { subject: repeated.id, reason, remedy: 'Choose another id' });
  }
}

function refuse(
  attempt: string,
  rest: { readonly subject: string; readonly reason: string; readonly remedy: string },
): ClocheError {
  return new ClocheError('OPTION_INVALID', { attempt, ...rest });
}

/** Returns a target whose requests are passed through the hooks. */
export function hookTarget<Hooked extends Pick<RunTarget, 'send' | 'socketSend'>>(
  target: Hooked,
  hooks: readonly Hooks[],
): Hooked {
  const before = hooks.flatMap(({ beforeRequest }) => beforeRequest ?? []);
  const after = hooks.flatMap(({ afterResponse }) => afterResponse ?? []);
  if (before.length + after.length === 0) return target;
  const hookSend =
    (send: Send): Send =>
    async (request, options) => {
      let sent = request;
      for (const hook of before) sent = (await hook(sent)) ?? sent;
      const startedAt = performance.now();
      const answer = await send(sent, options);
      for (const hook of after) {
        await hook({ request: sent, answer, durationMs: performance.now() - startedAt });
      }
      return answer;
    };
  const { send, socketSend } = target;
  return { ...target, send: hookSend(send), socketSend: socketSend && hookSend(socketSend) };
}

/** Returns the function that changes each case with the hooks, once; undefined if there are none. */
export function hookCases(hooks: readonly Hooks[]): RunSettings['beforeCase'] {
  const before = hooks.flatMap(({ beforeCase }) => beforeCase ?? []);
  if (before.length === 0) return undefined;
  const results = new WeakSet<RequestCase>();
  return async (request) => {
    if (results.has(request)) return request;
    let changed = request;
    for (const hook of before) changed = (await hook(changed)) ?? changed;
    if (changed !== request) results.add(changed);
    return changed;
  };
}
