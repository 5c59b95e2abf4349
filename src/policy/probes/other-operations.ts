import type { OtherOperationsAnswer } from '../other-operations.ts';
import type { Asker, Probe, ProbeReading } from '../probe.ts';
import { unknownMethod, unknownPath } from './unknown-requests.ts';
import { notAsked } from './not-asked.ts';
import { unsettled } from './unsettled.ts';

async function ask(asker: Asker): Promise<ProbeReading<OtherOperationsAnswer>> {
  const request = unknownMethod(asker);
  if (request === undefined) {
    return notAsked('its path has every method that changes nothing');
  }
  const { status: method } = await asker.send(request);
  const { status: path } = await asker.send(unknownPath);
  if (method < 300 || path < 300) {
    const subject = method < 300 ? `${request.method} on its path` : 'a path that is not declared';
    return unsettled(`${subject} is answered ${Math.min(method, path)}, which is no refusal`);
  }
  return { kind: 'answer', answer: { method, path } };
}

/** Asks for a method and for a path that the document does not have. */
export const otherOperationsProbe: Probe<OtherOperationsAnswer> = { mostRequests: 2, needsTaken: false, ask };
