import type { FoundCause } from '../../runner/run-event.ts';
import type { FindingSurroundings } from '../render-finding.ts';
import { renderRequests } from '../render-requests.ts';

/** The requests that show a finding as another service is sent them, a curl line each; none where there is no other. */
export function renderElsewhere(
  found: FoundCause,
  {
    elsewhere,
    ...surroundings
  }: Pick<FindingSurroundings, 'secrets' | 'insecure' | 'ca' | 'baseUrl' | 'headers' | 'elsewhere'>,
): readonly string[] {
  const { elsewhere: requests } = found;
  return elsewhere === undefined || requests === undefined
    ? []
    : renderRequests({ ...found, requests }, { ...surroundings, ...elsewhere });
}
