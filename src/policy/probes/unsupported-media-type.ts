import { matchesMediaRange } from '../../http/matches-media-range.ts';
import type { Asker, Probe, ProbeExchange, ProbeReading } from '../probe.ts';
import type { UnsupportedMediaTypeAnswer } from '../unsupported-media-type.ts';
import { declaresStatus } from './declares-status.ts';
import { notAsked } from './not-asked.ts';
import { unsettled } from './unsettled.ts';
import { writeBody } from './write-body.ts';

const types = ['text/plain', 'application/x-yaml', 'application/octet-stream', 'application/vnd.cloche+json'];

function readAnswer(
  { operation }: Asker,
  { status, isAccepted }: ProbeExchange,
): UnsupportedMediaTypeAnswer | undefined {
  if (isAccepted) {
    return 'read';
  }
  if (status === 400 || status === 415) {
    return status;
  }
  // Where 400 is not declared, 422 is what says the same.
  return status === 422 && declaresStatus(operation, 422) && !declaresStatus(operation, 400)
    ? 400
    : undefined;
}

async function ask(asker: Asker): Promise<ProbeReading<UnsupportedMediaTypeAnswer>> {
  const ranges = asker.operation.requestBody?.media.map(({ range }) => range) ?? [];
  const others = types.filter((type) => ranges.every((range) => !matchesMediaRange(type, range)));
  if (asker.sample() === undefined || others.length === 0) {
    return notAsked('it takes no JSON object, or any media type');
  }
  const seen: { readonly name: string; readonly status: number; readonly answer: unknown }[] = [];
  let answer: UnsupportedMediaTypeAnswer | undefined;
  for (const contentType of [...others, undefined]) {
    const exchange = await asker.send({ body: writeBody(asker.sample(seen.length) ?? []), contentType });
    const name = contentType ?? 'a body without a media type';
    answer = readAnswer(asker, exchange);
    if (answer === undefined) {
      return unsettled(`${name} is answered ${exchange.status}, which is none of the answers`);
    }
    const [first] = seen;
    if (first !== undefined && first.answer !== answer) {
      return unsettled(
        `${first.name} is answered ${first.status}, and ${name} ${exchange.status}: it is no one answer`,
      );
    }
    seen.push({ name, status: exchange.status, answer });
  }
  return answer === undefined ? unsettled('it was not asked') : { kind: 'answer', answer };
}

/**
 * Asks with a valid body under media types that are not declared, and under none: frameworks have readers for some, and
 * turn others away.
 */
export const unsupportedMediaTypeProbe: Probe<UnsupportedMediaTypeAnswer> = {
  mostRequests: 5,
  needsTaken: true,
  ask,
};
