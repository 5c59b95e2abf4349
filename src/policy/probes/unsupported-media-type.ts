import { matchesMediaRange } from '../../http/matches-media-range.ts';
import type { Asker, Probe, ProbeReading } from '../probe.ts';
import type { UnsupportedMediaTypeAnswer } from '../unsupported-media-type.ts';
import { declaresStatus } from './declares-status.ts';
import { notAsked } from './not-asked.ts';
import { unsettled } from './unsettled.ts';
import { writeBody } from './write-body.ts';

const types = ['text/plain', 'application/x-yaml', 'application/octet-stream'];

async function ask(asker: Asker): Promise<ProbeReading<UnsupportedMediaTypeAnswer>> {
  const members = asker.sample();
  const ranges = asker.operation.requestBody?.media.map(({ range }) => range) ?? [];
  const contentType = types.find((type) => ranges.every((range) => !matchesMediaRange(type, range)));
  if (members === undefined || contentType === undefined) {
    return notAsked('it takes no JSON object, or any media type');
  }
  const { status, isAccepted } = await asker.send({ body: writeBody(members), contentType });
  if (isAccepted) {
    return { kind: 'answer', answer: 'read' };
  }
  if (status === 400 || status === 415) {
    return { kind: 'answer', answer: status };
  }
  // Where 400 is not declared, 422 is what says the same.
  const isDeclared =
    status === 422 && declaresStatus(asker.operation, 422) && !declaresStatus(asker.operation, 400);
  return isDeclared
    ? { kind: 'answer', answer: 400 }
    : unsettled(`${contentType} is answered ${status}, which is none of the answers`);
}

/** Asks with a valid body under a media type that is not declared. */
export const unsupportedMediaTypeProbe: Probe<UnsupportedMediaTypeAnswer> = {
  mostRequests: 1,
  needsTaken: true,
  ask,
};
