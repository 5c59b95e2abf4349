import { matchesMediaRange } from '../../http/matches-media-range.ts';
import type { AcceptAnswer } from '../accept.ts';
import type { Asker, Probe, ProbeReading } from '../probe.ts';
import { declaresStatus } from './declares-status.ts';
import { notAsked } from './not-asked.ts';
import { unsettled } from './unsettled.ts';

const types = ['text/html', 'image/png', 'application/x-cloche'];

async function ask(asker: Asker): Promise<ProbeReading<AcceptAnswer>> {
  const { operation } = asker;
  const ranges = operation.responses.flatMap(({ media }) => media.map(({ range }) => range));
  const accept = types.find((type) => ranges.every((range) => !matchesMediaRange(type, range)));
  if (accept === undefined || ranges.length === 0 || declaresStatus(operation, 406)) {
    return notAsked('its answers have no content, or the document declares 406');
  }
  const exchange = await asker.send({ accept });
  if (exchange.status === 406) {
    return { kind: 'answer', answer: 406 };
  }
  return exchange.isAccepted
    ? { kind: 'answer', answer: 'ignore' }
    : unsettled(`Accept: ${accept} is answered ${exchange.status}, which is none of the answers`);
}

/** Asks for an answer in a media type that is not declared. */
export const acceptProbe: Probe<AcceptAnswer> = { mostRequests: 1, needsTaken: true, ask };
