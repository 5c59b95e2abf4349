import { ClocheError } from '../../errors/cloche-error.ts';
import type { Mock } from '../mock.ts';
import type { Responder } from '../steps/responder.ts';
import { createFetch } from '../transport/create-fetch.ts';
import { createPauses } from '../transport/create-pauses.ts';
import { createSend } from '../transport/create-send.ts';
import type { MockPlatform } from './mock-platform.ts';

/** The ways into a mock that are open until somebody closes them. */
export interface Entrances extends Pick<Mock, 'fetch' | 'send' | 'listen' | 'dispatcher'> {
  /** Closes all that were opened; what is held back comes at once, and what is asked from now on is refused. */
  readonly close: () => Promise<void>;
}

function refuseClosed(name: string): Promise<never> {
  return Promise.reject(
    new ClocheError('MOCK_CLOSED', {
      attempt: 'call',
      subject: name,
      reason: 'the mock is closed',
      remedy: 'Create another, or close it when nobody asks it any more',
    }),
  );
}

/** Creates the ways into a mock that the platform has. */
export function createEntrances(platform: MockPlatform, responder: Responder): Entrances {
  const opened = new Set<{ readonly close: () => Promise<void> }>();
  const pauses = createPauses();
  const fetch = createFetch(responder, pauses);
  const send = createSend(responder, pauses);
  let isClosed = false;

  /** Keeps what was opened until it is closed, which it is at once where the mock was closed meanwhile. */
  async function keep<T>(made: T, name: string, close: () => Promise<void>): Promise<T> {
    if (isClosed) {
      await close();
      return refuseClosed(name);
    }
    opened.add({ close });
    return made;
  }

  return {
    fetch: (input, init) => (isClosed ? refuseClosed('fetch') : fetch(input, init)),
    send: (request, options) => (isClosed ? refuseClosed('send') : send(request, options)),
    async listen(where) {
      if (isClosed) {
        return refuseClosed('listen');
      }
      const listener = await platform.listen(responder, where);
      return keep(listener, 'listen', () => listener.close());
    },
    async dispatcher(which) {
      if (isClosed) {
        return refuseClosed('dispatcher');
      }
      const dispatcher = await platform.createDispatcher(responder, which);
      return keep(dispatcher, 'dispatcher', () => dispatcher.destroy());
    },
    async close() {
      isClosed = true;
      pauses.endAll();
      await Promise.all([...opened].map((each) => each.close()));
    },
  };
}
