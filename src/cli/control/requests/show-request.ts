import { explainMissing } from '../../../mock/log/explain-missing.ts';
import type { LoggedMessage, LoggedRequest, RequestProblem } from '../../../mock/log/logged-request.ts';
import { terminalWidth } from '../../terminal.ts';
import type { Action } from '../action.ts';
import { renderRequestLines } from './render-request-lines.ts';

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

/** `cloche requests show` */
export const showRequest: Action = {
  options: { id: { describe: 'Its number, as list shows it' } },
  async act(client, { required }) {
    const id = required('id').replace(/^#/u, '');
    const value = await client.call({ method: 'GET', path: `/requests/${encodeURIComponent(id)}` });
    // `as`: the document of the control interface says so.
    const request = value as unknown as LoggedRequest;
    const { method, target, status, problems, message } = request;
    return {
      value,
      lines: [
        ...renderRequestLines([request], terminalWidth()),
        ...(message === undefined ? [] : ['', message]),
        ...problems.flatMap(describeProblem),
        ...describeMessage(`${method} ${target}`, request.request),
        ...describeMessage(status === 0 ? 'No answer' : `Answered ${status}`, request.response),
        '',
        'Again',
        ...indent(request.curl),
      ],
    };
  },
};
