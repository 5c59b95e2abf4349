import type { VNode } from 'preact';
import type { LoggedRequest } from '../../../mock/log/logged-request.ts';

/** What came of a request, in a word and a colour. */
export function VerdictBadge({ request }: { readonly request: LoggedRequest }): VNode {
  return <span class={`badge ${request.verdict}`}>{request.verdict}</span>;
}
