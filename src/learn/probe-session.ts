import { judgeValue } from '../arbitrary/from-schema.ts';
import type { PlainBody } from '../arbitrary/plain-body.ts';
import { type CredentialCase, plainKey, type RequestCase } from '../arbitrary/request-case.ts';
import { buildRequest, fillItems, plainRequest } from '../arbitrary/request.ts';
import { toProbeExchange } from '../check/probe-exchange.ts';
import type { Operation } from '../contract/contract.ts';
import type { Exchange } from '../http/message.ts';
import { parseJsonValue } from '../json/parse.ts';
import type { JsonValue } from '../json/value.ts';
import type {
  BehaviourId,
  ProbeExchange,
  ProbeKey,
  ProbeMember,
  ProbePiece,
  ProbeRequest,
  ProbeSession,
} from '../policy/behaviour.ts';
import { isRefused, writeBody } from '../policy/probing.ts';
import { keyStyle, keyText } from '../session/keys.ts';
import { SessionProbeItems, withQuery } from '../session/probe-items.ts';
import type { KeyTrust } from './key-trust.ts';
import { type SampleForm, sampleForms } from './sample.ts';
import type { LearntService, Trial } from './service.ts';

/** The input of a trial of a probe. */
export interface ProbeInput {
  readonly service: LearntService;
  readonly operation: Operation;
  /** Undefined if the operation accepts no JSON object. */
  readonly form: SampleForm | undefined;
  readonly settled: ReadonlyMap<BehaviourId, JsonValue>;
  readonly keyTrust: KeyTrust;
  /** The results of `once` in earlier trials. */
  readonly known: Map<string, unknown>;
  readonly onExchange: (exchange: Exchange) => void;
}

const credentialCases: Readonly<Record<NonNullable<ProbeRequest['credentials']>, CredentialCase>> = {
  good: { kind: 'good' },
  missing: { kind: 'none' },
  'other-scheme': { kind: 'other-scheme', scheme: 'Token' },
  'unknown-token': { kind: 'wrong-token' },
};

function join(pieces: readonly ProbePiece[], keys: (key: ProbeKey) => string): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : keys(piece))).join('');
}

function jsonBody(operation: Operation): PlainBody | undefined {
  const { body } = plainRequest(operation);
  return body.kind === 'body' && body.body.schema !== undefined ? body.body : undefined;
}

/** The interface of one trial of a probe, with new ids. */
export class LearnSession implements ProbeSession {
  readonly contract: ProbeSession['contract'];
  readonly operation: Operation;
  readonly key: ProbeSession['key'];
  readonly items: SessionProbeItems;
  readonly clock: ProbeSession['clock'];
  readonly rest: ProbeSession['rest'];
  readonly #input: ProbeInput;
  readonly #trial: Trial;
  readonly #serials = new Map<number, number>();
  #ownSlots = 0;

  constructor(input: ProbeInput) {
    const { service, operation, onExchange } = input;
    this.#input = input;
    this.#trial = service.open(onExchange);
    this.contract = service.contract;
    this.operation = operation;
    const key = jsonBody(operation)?.key;
    this.key = key && { property: key.property, isNumber: key.isNumber };
    this.clock = service.clock;
    this.rest = service.sleep;
    this.items = new SessionProbeItems(this.#trial.session, service.contract, {
      hasOtherUser: service.hasOtherUser,
      isThorough: true,
      bodyOf: (maker) => this.#bodyOf(maker),
    });
  }

  /** Deletes the items that the trial created. */
  async cleanUp(): Promise<void> {
    // A failure leaves the item: nothing else knows of it.
    await this.items.deleteNoted().catch(() => undefined);
    await this.#trial.cleanUp();
  }

  readonly sample = (slot = 0): readonly ProbeMember[] | undefined => {
    const { form, service } = this.#input;
    return form?.(service.allocator.next(), slot);
  };

  readonly isValid = (body: readonly ProbePiece[]): boolean => {
    const value = parseJsonValue(join(body, (key) => this.#anyText(key, this.operation)));
    return value !== undefined && judgeValue(jsonBody(this.operation)?.schema, value) === 'valid';
  };

  readonly send: ProbeSession['send'] = async (request, options): Promise<ProbeExchange> => {
    const { keyTrust } = this.#input;
    // A guard against guessing may answer 429 to bad credentials. That is the response to them.
    const { waits } = options ?? { waits: (request.credentials ?? 'good') === 'good' };
    const pieces = this.#piecesOf(request);
    const fresh = this.#freshSlots(pieces);
    const isRetried = request.credentials === undefined && fresh.length > 0;
    for (let tried = 0; ; tried += 1) {
      const read = toProbeExchange(await this.#trial.send(this.#toCase(request, pieces), { waits }));
      if (!isRetried || !isRefused(read) || tried >= keyTrust.further) {
        keyTrust.learn({ wasRefused: tried > 0, isAccepted: read.isAccepted });
        return read;
      }
      // A near id has the same length, which bodies of a given length need.
      fresh.forEach((slot) => this.#serials.set(slot, this.#input.service.allocator.next()));
    }
  };

  readonly settled = (id: BehaviourId): JsonValue | undefined => {
    return this.#input.settled.get(id);
  };

  readonly once = async <T>(name: string, find: () => Promise<T>): Promise<T> => {
    const { known } = this.#input;
    if (!known.has(name)) {
      known.set(name, await find());
    }
    // `as`: the same probe found it under the same name.
    return known.get(name) as T;
  };

  /** Returns the pieces of the body, with a new id if the probe names none; undefined keeps the plain body. */
  #piecesOf(request: ProbeRequest): readonly ProbePiece[] | undefined {
    if ('body' in request) return request.body;
    this.#ownSlots -= 1;
    const members = this.sample(this.#ownSlots);
    return members === undefined ? undefined : writeBody(members);
  }

  #toCase(request: ProbeRequest, pieces: readonly ProbePiece[] | undefined): RequestCase {
    const { operation } = this;
    const body = pieces === undefined ? undefined : [join(pieces, (key) => this.#text(key))];
    const made = buildRequest(operation, {
      ...(body === undefined && !('body' in request) ? {} : { body }),
      ...('contentType' in request ? { contentType: request.contentType } : {}),
      ...(request.accept === undefined ? {} : { headers: [['Accept', request.accept]] }),
      credentials: credentialCases[request.credentials ?? 'good'],
    });
    // Requests beside those about items name none.
    const plain = withQuery(fillItems(made.target, operation), request.query ?? []);
    return { ...made, method: request.method ?? made.method, target: request.target ?? plain };
  }

  /** Returns the slots of a body if all its ids are new; none if one of its ids was sent before. */
  #freshSlots(pieces: readonly ProbePiece[] = []): readonly number[] {
    const slots = pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.slot]));
    return slots.some((slot) => this.#serials.has(slot)) ? [] : slots;
  }

  /** Returns the JSON text of the id in a slot, which was never sent before. */
  #text({ slot, offset = '0' }: ProbeKey): string {
    const serial = this.#serials.get(slot) ?? this.#input.service.allocator.next();
    this.#serials.set(slot, serial);
    return writeKey(this.operation, serial, offset);
  }

  /** Returns the JSON text of an id that is not sent. */
  #anyText({ offset = '0' }: ProbeKey, operation: Operation): string {
    return writeKey(operation, this.#input.service.allocator.range[0], offset);
  }

  /** Returns a body that the service is likely to accept, with new texts. */
  #bodyOf(maker: Operation): JsonValue | undefined {
    const { forms, allocator } = this.#input.service;
    const plain = jsonBody(maker);
    const form = forms.get(maker) ?? (plain && sampleForms(plain)[0]);
    if (form === undefined) return undefined;
    return parseJsonValue(join(writeBody(form(allocator.next(), 0)), (key) => this.#anyText(key, maker)));
  }
}

function writeKey(operation: Operation, serial: number, offset: string): string {
  const style = keyStyle(operation);
  return style === 'number' ? String(BigInt(serial) + BigInt(offset)) : keyText(serial, plainKey, style);
}
