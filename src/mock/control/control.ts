import { ClocheError } from '../../errors/cloche-error.ts';
import { pathOf } from '../../http/path.ts';
import type { Mounted } from '../message.ts';
import { type ControlContext, controlPrefix, mostControlBytes, type ServePage } from './operation.ts';

/** Options of the control interface. */
export interface ControlOptions {
  /**
   * The token that requests over an address reachable by other machines must carry.
   *
   * @defaultValue none, which gives access only to programs on this machine
   */
  readonly token?: string;
}

/** Returns true if a request target, path and query or a whole URL (RFC 9112 §3.2), is under the prefix. */
export function isMounted(target: string, prefix: string): boolean {
  if (target.charCodeAt(0) === 0x2f && !target.startsWith(prefix)) return false;
  const path = pathOf(target);
  return path === prefix || path.startsWith(`${prefix}/`);
}

/**
 * Opens the control interface of a mock, or none if `options` is false; it is loaded at the first request.
 *
 * @throws ClocheError OPTION_INVALID for a token that no header can carry
 */
export function openControl(input: {
  readonly options: ControlOptions | false;
  readonly inspector: (() => Promise<ServePage>) | undefined;
  readonly context: () => Promise<ControlContext>;
}): Mounted | undefined {
  const { options, inspector, context } = input;
  if (options === false) return undefined;
  const token = checkControlToken(options.token);

  async function load() {
    const [{ createControl }, servePage, found] = await Promise.all([
      import('./api.ts'),
      inspector?.(),
      context(),
    ]);
    return createControl({ context: found, token, servePage });
  }

  let loading: ReturnType<typeof load> | undefined;
  function loadOnce(): ReturnType<typeof load> {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  }

  return {
    prefix: controlPrefix,
    contentLimit: mostControlBytes,
    refuse: async (request) => (await loadOnce()).refuse(request),
    answer: async (request) => (await loadOnce()).answer(request),
  };
}

/** Refuses a token that Authorization cannot carry (RFC 6750 §2.1). */
function checkControlToken(token: string | undefined): string | undefined {
  if (token === undefined || /^[!-~]+$/u.test(token)) return token;
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'use as a control token',
    // The message omits the token, which is a secret.
    subject: 'control.token',
    reason: token === '' ? 'it is empty' : 'it holds white space, or what is no printable character of ASCII',
    remedy: 'Give a long random text of letters and digits',
  });
}
