import type { Finding } from '../check/finding.ts';
import type { Judged } from '../check/judged.ts';
import type { TrafficFinding } from '../runner/traffic-event.ts';

/** Where each cause was seen, and the smallest exchange that shows it. */
export interface Sightings {
  /** @returns what is known of the cause by now */
  add(finding: Finding, judged: Judged, place: string): Sighting;
  of(finding: Finding): Sighting | undefined;
}

/** Where a cause was seen. */
export interface Sighting extends Pick<TrafficFinding, 'seenAt' | 'exchange'> {
  readonly finding: Finding;
  /** Whether each time the key of the request was one that may have existed. */
  readonly isOfChosenKeys: boolean;
}

interface Shown {
  readonly finding: Finding;
  readonly exchange: Judged;
}

function causeOf({ check, operation, cause }: Finding): string {
  return [check, operation, cause].join('\0');
}

function keyOf(finding: Finding): string {
  return `${causeOf(finding)}\0${finding.trigger ?? ''}`;
}

function sizeOf({ exchange: { request, answer } }: Judged): number {
  const received = answer.kind === 'response' ? answer.response.body.length : 0;
  return request.target.length + (request.body?.length ?? 0) + received;
}

/** Whether an exchange shows a cause better than another: as a violation before as advice, and then the smaller one. */
function isBetter(shown: Shown, known: Shown): boolean {
  if (shown.finding.level !== known.finding.level) {
    return shown.finding.level === 'violation';
  }
  return sizeOf(shown.exchange) < sizeOf(known.exchange);
}

/** Creates what has seen nothing yet; what it keeps grows with the causes, not with the exchanges. */
export function createSightings(): Sightings {
  const sightings = new Map<string, Sighting>();
  /** Where a cause was seen first and last, whatever of the request brought it about. */
  const spans = new Map<string, { readonly first: string; readonly last: string }>();
  return {
    add(finding, judged, place) {
      const key = keyOf(finding);
      const known = sightings.get(key);
      const isChosen = judged.request.key === 'chosen';
      const isShown = known === undefined || isBetter({ finding, exchange: judged }, known);
      const sighting: Sighting = {
        finding: isShown ? finding : known.finding,
        exchange: isShown ? judged : known.exchange,
        seenAt: {
          first: known?.seenAt.first ?? place,
          last: place,
          example: isShown ? place : known.seenAt.example,
        },
        isOfChosenKeys: isChosen && (known?.isOfChosenKeys ?? true),
      };
      sightings.set(key, sighting);
      const cause = causeOf(finding);
      spans.set(cause, { first: spans.get(cause)?.first ?? place, last: place });
      return sighting;
    },
    of(finding) {
      const sighting = sightings.get(keyOf(finding));
      // What a plain request shows stands for every other sighting of its cause.
      const span = finding.trigger === undefined ? spans.get(causeOf(finding)) : undefined;
      return sighting && { ...sighting, seenAt: { ...sighting.seenAt, ...span } };
    },
  };
}
