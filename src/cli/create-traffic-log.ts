import { escapeControls, type Paint } from '../errors/console-text.ts';
import type { Level } from '../check/finding.ts';
import type { Exchange } from '../http/exchange.ts';
import { redactText } from '../http/redact.ts';
import { findingTitles } from '../report/finding-words.ts';
import type { TrafficEvent } from '../runner/traffic-event.ts';

/** A method and path that are longer are not waited for: the columns behind them give way. */
const widestTarget = 32;

function renderHead({ request, answer, durationMs }: Exchange, startedAt: number): string {
  const time = new Date(startedAt).toTimeString().slice(0, 8);
  const status = answer.kind === 'response' ? answer.response.status : '---';
  const target = escapeControls(`${request.method.padEnd(7)} ${request.target}`).padEnd(widestTarget);
  return `${time} ${target} ${status} ${durationMs.toFixed(1).padStart(6)} ms`;
}

function renderMark(level: Level, paint: Paint): string {
  return level === 'violation' ? paint('violation', '✗') : paint('advice', '!');
}

/**
 * Creates what writes judged traffic as lines, as it passes: one for each exchange, and one for each finding when it
 * is first seen.
 *
 * @param options.columns - how many characters a line may have; undefined where nobody cuts it
 */
export function createTrafficLog(options: {
  readonly paint: Paint;
  /** What must not appear. */
  readonly secrets: readonly string[];
  readonly columns: () => number | undefined;
  readonly writeLine: (line: string) => void;
}): (event: TrafficEvent, number: number) => void {
  const { paint, secrets, columns, writeLine } = options;

  function write(text: string): void {
    const line = escapeControls(redactText(text, secrets));
    const width = columns();
    writeLine(width !== undefined && line.length > width ? `${line.slice(0, width - 1)}…` : line);
  }

  return (event, number) => {
    switch (event.kind) {
      case 'traffic-exchange': {
        const { judged, startedAt } = event;
        const operation = judged.operation?.id ?? '';
        write(`${String(number).padStart(5)} ${renderHead(judged.exchange, startedAt)}  ${operation}`);
        return;
      }
      case 'traffic-unjudged': {
        const { exchange, startedAt, reason } = event;
        const head = renderHead(exchange, startedAt);
        write(`${String(number).padStart(5)} ${head}  not judged: ${reason}`);
        return;
      }
      case 'traffic-finding': {
        const { finding, id } = event.finding;
        const words = redactText(`${findingTitles[finding.check]}: ${finding.received}`, secrets);
        const room = (columns() ?? Infinity) - id.length - 11;
        const short = escapeControls(
          words.length > room ? `${words.slice(0, Math.max(0, room - 1))}…` : words,
        );
        writeLine(`      ${renderMark(finding.level, paint)} ${short} ${paint('faint', `[${id}]`)}`);
        return;
      }
      case 'traffic-started':
      case 'traffic-finished':
    }
  };
}
