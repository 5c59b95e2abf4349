import { createLogRenderer, explainMissing } from './log-line.ts';
import type { LoggedMessage, LoggedRequest, RequestProblem } from '../message.ts';

/** Renders requests as lines: `#12 12:30:01 POST /orders 400 1.2 ms invalid-body: …` */
export function renderRequestLines(requests: readonly LoggedRequest[], columns?: number): readonly string[] {
  const width = Math.max(0, ...requests.map(({ id }) => String(id).length)) + 1;
  const render = createLogRenderer({
    operations: requests.map(({ target }) => ({ path: { template: target, segments: [] } })),
    columns: () => (columns === undefined ? undefined : columns - width - 1),
  });
  return requests.map(({ problems: _problems, ...request }) => {
    // `as`: a mock of the same version uses the same names for conditions and behaviours.
    const line = render(request as Parameters<typeof render>[0]);
    return `${`#${request.id}`.padStart(width)} ${line}`;
  });
}

/** Renders a request in full: its line, its problems, both messages, and a curl line that sends it again. */
export function describeRequest(logged: LoggedRequest, columns?: number): readonly string[] {
  const { method, target, status, problems, message, request, response, curl } = logged;
  return [
    ...renderRequestLines([logged], columns),
    ...(message === undefined ? [] : ['', message]),
    ...problems.flatMap(describeProblem),
    ...describeMessage(`${method} ${target}`, request),
    ...describeMessage(status === 0 ? 'No answer' : `Answered ${status}`, response),
    '',
    'Again',
    ...indent(curl),
  ];
}

function indent(text: string): readonly string[] {
  return text.split('\n').map((line) => `  ${line}`);
}

function describeProblem({ pointer, reason, clause }: RequestProblem): readonly string[] {
  const place =
    pointer === undefined || reason.startsWith(pointer) ? '' : `${pointer === '' ? 'the body' : pointer}: `;
  return [
    `  ${place}${reason}`,
    ...(clause === undefined ? [] : [`    the ${clause.in} says at ${clause.pointer}: ${clause.text}`]),
  ];
}

function describeMessage(title: string, message: LoggedMessage): readonly string[] {
  const { headers, body, bytes } = message;
  const content = body ?? (bytes === 0 ? '' : `(${bytes} bytes. ${explainMissing(message)})`);
  return [
    '',
    title,
    ...headers.map(([name, value]) => `  ${name}: ${value}`),
    ...(content === '' ? [] : ['', ...indent(content)]),
  ];
}
