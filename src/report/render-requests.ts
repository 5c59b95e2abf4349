import type { FoundCause } from '../runner/run-event.ts';
import { renderCurl } from './render-curl.ts';
import type { FindingSurroundings } from './render-finding.ts';

/** How curl is to show bytes after the end of the answer, where they are what was found. */
function excessOf({ exchange }: FoundCause): 'after-length' | 'after-head' | undefined {
  const { answer, request } = exchange.exchange;
  if (answer.kind !== 'response' || (answer.trailing?.length ?? 0) === 0) {
    return undefined;
  }
  const hasNoContent = [204, 304].includes(answer.response.status) && request.method !== 'HEAD';
  return hasNoContent ? 'after-head' : 'after-length';
}

/**
 * The requests that show a finding, in order, as a curl line each. Those that have to be sent side by side go to the
 * background of the shell, and the last line waits for all of them.
 */
export function renderRequests(
  found: FoundCause,
  surroundings: Pick<FindingSurroundings, 'baseUrl' | 'secrets' | 'insecure' | 'ca' | 'headers'>,
): readonly string[] {
  const { requests, sideBySide = false } = found;
  return requests.map((request, index) => {
    // Whatever comes before the request that shows it is usual.
    const framing = index === requests.length - 1 ? found.exchange.request.framing : 'content-length';
    const line = renderCurl(request, surroundings, { excess: excessOf(found), framing });
    return sideBySide ? `${line} &${index === requests.length - 1 ? ' wait' : ''}` : line;
  });
}
