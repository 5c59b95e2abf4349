import { controlPrefix } from './control-prefix.ts';
import { mostControlBytes } from './most-control-bytes.ts';
import type { Mounted } from './mounted.ts';

/**
 * Puts the control interface under its prefix. What it is made of is loaded with the first request to it.
 *
 * @param load - makes it
 */
export function mountControl(load: () => Promise<Pick<Mounted, 'refuse' | 'answer'>>): Mounted {
  let loading: ReturnType<typeof load> | undefined;
  function loaded(): ReturnType<typeof load> {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  }
  return {
    prefix: controlPrefix,
    contentLimit: mostControlBytes,
    refuse: async (request) => (await loaded()).refuse(request),
    answer: async (request) => (await loaded()).answer(request),
  };
}
