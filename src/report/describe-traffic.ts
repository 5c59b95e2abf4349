import type { TrafficResult } from '../runner/traffic-event.ts';
import { plural } from './plural.ts';

/** How much of some traffic was judged: `312 exchanges judged, 5 not`. */
export function describeTraffic({ judged, unjudged }: Pick<TrafficResult, 'judged' | 'unjudged'>): string {
  const others = unjudged.reduce((sum, { count }) => sum + count, 0);
  return `${plural(judged, 'exchange')} judged, ${others.toLocaleString('en-US')} not`;
}
