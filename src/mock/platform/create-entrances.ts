import type { Mock } from '../mock.ts';
import type { Responder } from '../steps/responder.ts';
import { createFetch } from '../transport/create-fetch.ts';
import { createPauses } from '../transport/create-pauses.ts';
import { createSend } from '../transport/create-send.ts';
import type { MockPlatform } from './mock-platform.ts';

/** The ways into a mock that are open until somebody closes them. */
export interface Entrances extends Pick<Mock, 'fetch' | 'send' | 'listen' | 'dispatcher'> {
  /** Closes all that were opened; what is held back comes at once. */
  readonly close: () => Promise<void>;
}

/** Creates the ways into a mock that the platform has. */
export function createEntrances(platform: MockPlatform, responder: Responder): Entrances {
  const opened = new Set<{ readonly close: () => Promise<void> }>();
  const pauses = createPauses();
  return {
    fetch: createFetch(responder, pauses),
    send: createSend(responder, pauses),
    async listen(where) {
      const listener = await platform.listen(responder, where);
      opened.add(listener);
      return listener;
    },
    async dispatcher(which) {
      const dispatcher = await platform.createDispatcher(responder, which);
      opened.add({ close: () => dispatcher.destroy() });
      return dispatcher;
    },
    async close() {
      pauses.endAll();
      await Promise.all([...opened].map((each) => each.close()));
    },
  };
}
