import type { ReportEvent } from '../report.ts';

/** How long each property was under way. */
export interface PropertyTimes {
  readonly read: (event: ReportEvent) => void;
  /** From its first request to its last answer, in milliseconds. */
  readonly of: (suite: string, property: string) => number;
}

/** Creates what times properties by their exchanges; it keeps two numbers for each. */
export function timeProperties(): PropertyTimes {
  const spans = new Map<string, { readonly from: number; readonly to: number }>();
  return {
    read(event) {
      if (event.kind === 'exchange') {
        const name = `${event.suite}/${event.property}`;
        const { from, to } = spans.get(name) ?? { from: event.startedAt, to: event.startedAt };
        const endedAt = event.startedAt + event.judged.exchange.durationMs;
        spans.set(name, { from: Math.min(from, event.startedAt), to: Math.max(to, endedAt) });
      }
    },
    of(suite, property) {
      const span = spans.get(`${suite}/${property}`);
      return span === undefined ? 0 : span.to - span.from;
    },
  };
}
