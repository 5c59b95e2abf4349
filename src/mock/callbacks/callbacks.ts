import type { Operation } from '../../contract/contract.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import type { HandlerStep } from '../handlers/handler-step.ts';
import { whenThere } from '../message.ts';
import type { CallbackParts, Callbacks, SentCallback } from './callback.ts';

const mostListed = 1000;

/** The callbacks and webhooks of a mock: their list, and the step that sends callbacks after an operation. */
export class CallbackSender implements Callbacks {
  readonly #parts: CallbackParts;
  readonly #stop = new AbortController();
  #sent: SentCallback[] = [];
  #lastId = 0;

  constructor(parts: CallbackParts) {
    this.#parts = parts;
  }

  readonly list: Callbacks['list'] = () => [...this.#sent];

  readonly send: Callbacks['send'] = async (name, { url, body }) => {
    const declared = this.#parts.contract().webhooks?.() ?? [];
    const request = declared.find((each) => each.name === name);
    if (request === undefined) {
      const names = [...new Set(declared.map((each) => each.name))].join(', ');
      throw new ClocheError('OPTION_INVALID', {
        attempt: 'send the webhook',
        subject: name,
        reason: 'the document declares no such webhook',
        remedy: names === '' ? 'Declare it under webhooks' : `Use one of ${names}`,
      });
    }
    if (!URL.canParse(url) || !/^https?:$/u.test(new URL(url).protocol)) {
      throw new ClocheError('OPTION_INVALID', {
        attempt: 'send the webhook to',
        subject: url,
        reason: 'it is no http or https URL',
        remedy: 'Write it as http://127.0.0.1:9000/hooks',
      });
    }
    const { sendWebhook } = await import('./send-callback.ts');
    return this.#record(
      await sendWebhook({ request, url, body }, { ...this.#parts, signal: this.#stop.signal }),
    );
  };

  /** Returns the step that sends the callbacks of an operation after a 2xx response; undefined if it declares none. */
  stepOf(operation: Operation): HandlerStep | undefined {
    const { callbacks } = operation;
    if (callbacks === undefined) return undefined;
    return (request, next) =>
      whenThere(next(request), (answer) => {
        if (answer.status < 200 || answer.status > 299) return answer;
        // The client gets its response first.
        setTimeout(() => {
          const { signal } = this.#stop;
          if (signal.aborted) return;
          void import('./send-callback.ts').then(({ sendCallbacks }) =>
            sendCallbacks(
              { operation: operation.id, callbacks: callbacks(), request, answer },
              {
                ...this.#parts,
                signal,
                record: (sent) => this.#record(sent),
              },
            ),
          );
        }, 0);
        return answer;
      });
  }

  /** Empties the list. */
  clear(): void {
    this.#sent = [];
  }

  /** Aborts what is being sent. */
  close(): void {
    this.#stop.abort();
  }

  #record(made: Omit<SentCallback, 'id' | 'time'>): SentCallback {
    const { clock, log } = this.#parts;
    this.#lastId += 1;
    const sent = { id: this.#lastId, time: clock.now(), ...made };
    this.#sent.push(sent);
    if (this.#sent.length > mostListed) this.#sent.shift();
    if (!this.#stop.signal.aborted) log?.(sent);
    return sent;
  }
}
