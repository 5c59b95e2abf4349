import type { MaybePromise } from '../maybe-promise.ts';
import type { MockAnswer } from '../steps/mock-answer.ts';
import { pathOf } from '../steps/path-of.ts';
import type { RequestContent, RequestHead } from '../steps/request-head.ts';
import type { ControlContext } from './control-context.ts';
import { controlPrefix } from './control-prefix.ts';
import { createControlDocument } from './create-control-document.ts';
import { createControlResponder } from './create-control-responder.ts';
import type { Mounted, Reach } from './mounted.ts';
import { renderControlAnswer } from './render-control-answer.ts';
import { createGuard } from './security/create-guard.ts';
import type { ServePage } from './serve-page.ts';

/** What the control interface is made of. */
export interface ControlParts {
  readonly context: Omit<ControlContext, 'describe'>;
  /** Undefined where there is none. */
  readonly token: string | undefined;
  /** The inspector, if there is one. */
  readonly servePage: ServePage | undefined;
}

/** Nothing here is for a cache, for another origin, or of another type than it says. */
const ownFields = [
  'Cache-Control',
  'no-store',
  'X-Content-Type-Options',
  'nosniff',
  'Cross-Origin-Resource-Policy',
  'same-origin',
];

/** What stands at `/` where there is no inspector. */
const signpost = { document: `${controlPrefix}/openapi.json`, message: 'The control interface of Cloche.' };

/** Makes what answers under the prefix of the control interface. */
export function createControl({
  context,
  token,
  servePage,
}: ControlParts): Pick<Mounted, 'refuse' | 'answer'> {
  const guard = createGuard(token);
  const responder = createControlResponder({ ...context, describe: createControlDocument });

  function respond(head: RequestHead, content: RequestContent): MaybePromise<MockAnswer> {
    const admission = responder.admit(head);
    return admission.kind === 'answered' ? admission.answer : responder.respond(admission, content);
  }

  async function findPage(head: RequestHead): Promise<MockAnswer | undefined> {
    const path = pathOf(head.target).slice(controlPrefix.length);
    if (head.method !== 'GET' && head.method !== 'HEAD') {
      return undefined;
    }
    if (path === '') {
      return { status: 308, headers: ['Location', `${controlPrefix}/`], body: '', note: {} };
    }
    const page = path === '/' || path.startsWith('/inspector/') ? await servePage?.(path) : undefined;
    return page ?? (path === '/' ? renderControlAnswer({ status: 200, body: signpost }) : undefined);
  }

  function complete(answer: MockAnswer): MockAnswer {
    const challenge = answer.status === 401 ? ['WWW-Authenticate', 'Bearer realm="cloche control"'] : [];
    return { ...answer, headers: [...answer.headers, ...challenge, ...ownFields] };
  }

  function refuse(head: RequestHead, reach: Reach): MockAnswer | undefined {
    const refused = guard(head, reach);
    return refused === undefined ? undefined : complete(renderControlAnswer(refused));
  }

  return {
    refuse: ({ head, reach }) => Promise.resolve(refuse(head, reach)),
    async answer({ head, content, reach }) {
      // The page holds nothing of the mock; what it shows, it asks for.
      const page = await findPage(head);
      if (page !== undefined) {
        return head.method === 'HEAD' ? { ...page, body: undefined } : page;
      }
      return refuse(head, reach) ?? complete(await respond(head, content));
    },
  };
}
