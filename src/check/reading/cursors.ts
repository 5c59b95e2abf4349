import type { Operation } from '../../contract/contract.ts';
import { nextPage } from '../../contract/list-pages.ts';
import { findListMember } from '../../contract/list-parameters.ts';
import { decodeQueryText, parseQuery } from '../../http/query.ts';
import { jsonContent } from './answer.ts';
import type { CheckedExchange } from './subject.ts';

/** Past so many, those that come are not kept. */
const mostCursors = 10_000;

/** The cursors that a target asks an operation with, each with the operation that it is for. */
export function sentCursors(operation: Operation, target: string): readonly string[] {
  const names = (['after', 'before'] as const).flatMap((role) => findListMember(operation, role)?.name ?? []);
  if (names.length === 0) return [];
  return parseQuery(target).flatMap(([name, value]) =>
    names.includes(name) ? [`${operation.id} ${decodeQueryText(value)}`] : [],
  );
}

/** Notes the cursor by which an answer names the page after it, as {@link sentCursors} gives it. */
export function rememberCursors(
  cursors: Set<string>,
  { operation, answer, exchange }: Pick<CheckedExchange, 'operation' | 'answer' | 'exchange'>,
): void {
  if (operation?.kind.kind !== 'list' || answer.kind === 'none' || cursors.size >= mostCursors) return;
  if (answer.response.status !== 200 || findListMember(operation, 'after') === undefined) return;
  const { status, headers } = answer.response;
  const page = { target: exchange.request.target, status, headers, body: jsonContent(answer) };
  const next = nextPage(operation, [page]);
  if (next.kind === 'next') sentCursors(operation, next.target).forEach((cursor) => cursors.add(cursor));
}
