import { buildRequest } from '../arbitrary/build-request.ts';
import type { CredentialCase } from '../arbitrary/credential-case.ts';
import { judgeValue } from '../arbitrary/judge-value.ts';
import { plainKey } from '../arbitrary/key-slot.ts';
import type { PlainBody } from '../arbitrary/plain-body.ts';
import { plainRequest } from '../arbitrary/plain-request.ts';
import { renderRequest } from '../arbitrary/render-request.ts';
import type { Contract } from '../contract/contract.ts';
import type { Operation } from '../contract/operation.ts';
import type { Exchange } from '../http/exchange.ts';
import type { HttpRequest } from '../http/http-request.ts';
import type { JsonValue } from '../json/json-value.ts';
import { parseJson } from '../json/parse-json.ts';
import type { Asker, ProbeExchange, ProbeKey, ProbePiece, ProbeRequest } from '../policy/probe.ts';
import { isRefused } from '../policy/probes/is-refused.ts';
import { writeBody } from '../policy/probes/write-body.ts';
import type { QuestionId } from '../policy/question-id.ts';
import { type KeyAllocator, keyText } from '../runner/key-allocator.ts';
import { keyStyle } from '../runner/key-style.ts';
import type { Sender } from './create-sender.ts';
import type { KeyTrust } from './key-trust.ts';
import type { SampleForm } from './sample-form.ts';
import { toProbeExchange } from './to-probe-exchange.ts';

/** What a trial is asked with. */
export interface AskerInput {
  readonly contract: Contract;
  readonly operation: Operation;
  readonly sender: Sender;
  readonly allocator: KeyAllocator;
  readonly token: string | undefined;
  /** Undefined where the operation takes no JSON object. */
  readonly form: SampleForm | undefined;
  readonly settled: ReadonlyMap<QuestionId, JsonValue>;
  readonly keyTrust: KeyTrust;
  /** What earlier trials found out once for all. */
  readonly known: Map<string, unknown>;
  readonly onExchange: (exchange: Exchange) => void;
}

const credentialCases: Readonly<Record<NonNullable<ProbeRequest['credentials']>, CredentialCase>> = {
  good: { kind: 'good' },
  missing: { kind: 'none' },
  'other-scheme': { kind: 'other-scheme', scheme: 'Token' },
  'unknown-token': { kind: 'wrong-token' },
};

/** One that nobody issued; for basic authentication it has a colon (RFC 7617 §2). */
function wrongTokenOf(token: string | undefined): string {
  const wrong = token?.includes(':') === true ? ['not:a-token', 'no:token'] : ['not-a-token', 'no-token'];
  return wrong.find((each) => each !== token) ?? '';
}

function createKeys({ operation, allocator }: AskerInput) {
  const serials = new Map<number, number>();
  const style = keyStyle(operation);
  const write = (serial: number, offset: string): string =>
    style === 'number' ? String(BigInt(serial) + BigInt(offset)) : keyText(serial, plainKey, style);
  return {
    isBound: (slot: number): boolean => serials.has(slot),
    /** Gives a slot another key; one that is near is written as long, which bodies of a length want. */
    bindAgain: (slot: number) => serials.set(slot, allocator.next()),
    /** The JSON text of a key that was never sent. */
    text: ({ slot, offset = '0' }: ProbeKey): string => {
      const serial = serials.get(slot) ?? allocator.next();
      serials.set(slot, serial);
      return write(serial, offset);
    },
    /** That of some key, which is not sent. */
    anyText: ({ offset = '0' }: ProbeKey): string => write(allocator.range[0], offset),
  };
}

function join(pieces: readonly ProbePiece[], keys: (key: ProbeKey) => string): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : keys(piece))).join('');
}

/** The plain body of an operation that takes JSON. */
function jsonBody(operation: Operation): PlainBody | undefined {
  const { body } = plainRequest(operation);
  return body.kind === 'body' && body.body.schema !== undefined ? body.body : undefined;
}

/** Creates what one trial of a probe asks a service with: its keys are drawn afresh. */
export function createAsker(input: AskerInput): Asker {
  const { contract, operation, sender, allocator, form, token, known, keyTrust } = input;
  const keys = createKeys(input);
  const plain = jsonBody(operation);
  let ownSlots = 0;

  const sample: Asker['sample'] = (slot = 0) => form?.(allocator.next(), slot);

  /** The pieces of the body, with a key of its own where the probe names none; undefined leaves what is plain as it is. */
  function piecesOf(request: ProbeRequest): readonly ProbePiece[] | undefined {
    if ('body' in request) {
      return request.body;
    }
    ownSlots -= 1;
    const members = sample(ownSlots);
    return members === undefined ? undefined : writeBody(members);
  }

  function render(request: ProbeRequest, pieces: readonly ProbePiece[] | undefined): HttpRequest {
    const body = pieces === undefined ? undefined : [join(pieces, keys.text)];
    const made = buildRequest(operation, {
      ...(body === undefined && !('body' in request) ? {} : { body }),
      ...('contentType' in request ? { contentType: request.contentType } : {}),
      ...(request.accept === undefined ? {} : { headers: [['Accept', request.accept]] }),
      credentials: credentialCases[request.credentials ?? 'good'],
    });
    return renderRequest({
      request: { ...made, method: request.method ?? made.method, target: request.target ?? made.target },
      keys: ({ slot }) => keys.text({ slot }),
      operation,
      token,
      wrongToken: wrongTokenOf(token),
    });
  }

  /** The slots of a body whose keys are sent for the first time; none where one of its keys was sent before. */
  function freshSlots(pieces: readonly ProbePiece[] = []): readonly number[] {
    const slots = pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.slot]));
    return slots.some((slot) => keys.isBound(slot)) ? [] : slots;
  }

  return {
    contract,
    operation,
    key:
      plain?.key === undefined ? undefined : { property: plain.key.property, isNumber: plain.key.isNumber },
    sample,
    isValid(body) {
      const parsed = parseJson(join(body, keys.anyText), { explains: false });
      return parsed.kind === 'json' && judgeValue(plain?.schema, parsed.value) === 'valid';
    },
    async send(request, options): Promise<ProbeExchange> {
      // A guard against guessing may put off whoever comes with bad credentials; that is its answer to them.
      const { waits } = options ?? { waits: (request.credentials ?? 'good') === 'good' };
      const pieces = piecesOf(request);
      const fresh = freshSlots(pieces);
      const isRetried = request.credentials === undefined && fresh.length > 0;
      for (let tried = 0; ; tried += 1) {
        const exchange = await sender.send(render(request, pieces), { waits });
        input.onExchange(exchange);
        const read = toProbeExchange(exchange);
        if (!isRetried || !isRefused(read) || tried >= keyTrust.further) {
          keyTrust.learn({ wasRefused: tried > 0, isTaken: read.isAccepted });
          return read;
        }
        fresh.forEach((slot) => keys.bindAgain(slot));
      }
    },
    settled: (id) => input.settled.get(id),
    async once(name, find) {
      if (!known.has(name)) {
        known.set(name, await find());
      }
      // `as`: it was found under the same name, by the same probe.
      return known.get(name) as Awaited<ReturnType<typeof find>>;
    },
    clock: sender.clock,
    rest: sender.sleep,
  };
}
