import { isMounted } from '../control/is-mounted.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { Responder } from '../steps/responder.ts';
import type { MockAnswer } from '../steps/mock-answer.ts';
import type { RequestHead } from '../steps/request-head.ts';

/** Answers a request whose content is all there. */
export function answerAtOnce(
  responder: Responder,
  head: RequestHead,
  content: Uint8Array | undefined,
): MaybePromise<MockAnswer> {
  const { mounted } = responder;
  if (mounted !== undefined && isMounted(head.target, mounted.prefix)) {
    return mounted.answer({ head, content, reach: 'in-process' });
  }
  const admission = responder.admit(head);
  const isTooLarge = content !== undefined && content.length > responder.contentLimit;
  const read = isTooLarge ? 'too-large' : content;
  return admission.kind === 'answered'
    ? responder.conclude(admission, read)
    : responder.respond(admission, read);
}
