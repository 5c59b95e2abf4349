import { createLogRenderer } from '../../../mock/create-log-renderer.ts';
import type { LoggedRequest } from '../../../mock/log/logged-request.ts';

/** Writes requests as lines, each with its number: `#12 12:30:01 POST /orders 400 1.2 ms invalid-body: …`. */
export function renderRequestLines(
  requests: readonly LoggedRequest[],
  columns: number | undefined,
): readonly string[] {
  const width = Math.max(0, ...requests.map(({ id }) => String(id).length)) + 1;
  const render = createLogRenderer({
    operations: requests.map(({ target }) => ({ path: { template: target, segments: [] } })),
    columns: () => (columns === undefined ? undefined : columns - width - 1),
  });
  return requests.map(({ problems: _problems, ...request }) => {
    // `as`: conditions and questions are named as the mock of the same version names them.
    const line = render(request as Parameters<typeof render>[0]);
    return `${`#${request.id}`.padStart(width)} ${line}`;
  });
}
