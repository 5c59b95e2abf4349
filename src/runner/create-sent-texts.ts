import type { RequestCase } from '../arbitrary/request-case.ts';
import type { KeyBinding } from './session.ts';

/** A request that left. */
export interface SentRequest {
  readonly request: RequestCase;
  readonly keys: KeyBinding;
  readonly body: Uint8Array | undefined;
  /** When it left and when it was answered, in milliseconds of one clock; for ever, until it is. */
  readonly from: number;
  to: number;
}

/** Who sent which text, so that an answer is known for another's. */
export interface SentTexts {
  /** Notes a request as under way. */
  leave(sent: SentRequest): void;
  /** Notes that it was answered, and what of it is to be known again: texts that nobody else would write. */
  arrive(sent: SentRequest, texts: readonly string[]): void;
  /** The last request to an operation that held a text, or one that is under way and holds it. */
  find(operationId: string, text: string): SentRequest | undefined;
}

/** A leak shows within a few requests; a run of an hour is not to keep all that it sent. */
const mostKept = 2_000;
/** The bodies that carry such texts are short. */
const longestBody = 4_096;

/** Remembers nothing yet. */
export function createSentTexts(): SentTexts {
  const underWay = new Set<SentRequest>();
  const byText = new Map<string, SentRequest>();

  function holds({ request, body }: SentRequest, operationId: string, text: string): boolean {
    return (
      request.operationId === operationId &&
      body !== undefined &&
      body.length <= longestBody &&
      new TextDecoder().decode(body).includes(JSON.stringify(text))
    );
  }

  return {
    leave: (sent) => void underWay.add(sent),
    arrive(sent, texts) {
      underWay.delete(sent);
      sent.to = performance.now();
      for (const text of texts) {
        const name = `${sent.request.operationId ?? ''} ${text}`;
        byText.delete(name);
        byText.set(name, sent);
      }
      for (const oldest of byText.keys()) {
        if (byText.size <= mostKept) {
          return;
        }
        byText.delete(oldest);
      }
    },
    find: (operationId, text) =>
      [...underWay].find((sent) => holds(sent, operationId, text)) ?? byText.get(`${operationId} ${text}`),
  };
}
