import { editedTokens, type PlainBody, plainTokens } from '../../arbitrary/plain-body.ts';
import { type Body, joinParts } from '../../arbitrary/request-case.ts';
import { buildRequest, renderBody } from '../../arbitrary/request.ts';
import { classifyStatus } from '../../check/reading/answer.ts';
import type { Operation } from '../../contract/contract.ts';
import type { JsonPointer } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Verdict } from '../../policy/find-limit.ts';
import { NoItem } from '../../session/items.ts';
import { keyStyle, keyText } from '../../session/keys.ts';
import type { Sender, SessionRecord } from '../../session/send-case.ts';
import type { KeyBinding } from '../../session/session.ts';

/** What came of a probe. */
export interface Probed {
  readonly verdict: Verdict;
  /** Undefined where nothing was sent, as the document does not allow the value, or the run is stopped. */
  readonly record: SessionRecord | undefined;
}

/** Sends plain bodies of one operation with one thing changed, each with a key of its own. */
export interface BoundarySearch {
  readonly body: PlainBody;
  /** A plain body with a value at a place; equal ones are sent once. */
  put(place: JsonPointer, value: JsonValue): Promise<Probed>;
  /** The same as put, sent again. */
  putAgain(place: JsonPointer, value: JsonValue): Promise<Probed>;
  /** A plain body that white space between its tokens makes so many bytes long. */
  pad(bytes: number): Promise<Probed>;
  /** The answer to a plain body whose key was just accepted. */
  repeatKey(): Promise<Probed>;
  /** A number that no other key of the run is made of. */
  freshSerial(): number;
}

const unsent: Probed = { verdict: 'other', record: undefined };

/**
 * Creates the prober of an operation, with keys far apart, as a live store may hold those of one day. `tries` is how
 * often something has to be refused, each time with another key, before the key is not to blame.
 */
export function createBoundarySearch(input: {
  readonly operation: Operation;
  readonly body: PlainBody;
  readonly sender: Sender;
  readonly isStopped: () => boolean;
  readonly tries: () => number;
  readonly onRecord: (record: SessionRecord) => void;
}): BoundarySearch {
  const { operation, body, sender, isStopped, tries, onRecord } = input;
  const known = new Map<string, Promise<Probed>>();
  const plain = plainTokens(body, body.smallest);

  async function sendBodies(make: (keys: KeyBinding) => readonly Body[]): Promise<Probed> {
    if (isStopped()) return unsent;
    const session = sender.open({ far: true });
    const keys = session.bindKeys();
    try {
      for (const one of make(keys)) {
        await session.send(buildRequest(operation, { body: joinParts(one) }), keys);
      }
    } catch (error) {
      if (error instanceof NoItem) return unsent;
      throw error;
    }
    const { records } = session;
    records.forEach(onRecord);
    const record = records.at(-1);
    return record === undefined ? unsent : { verdict: classifyStatus(record.judged.answer), record };
  }

  function tokensWith(at: JsonPointer, value: JsonValue): Body | undefined {
    for (const base of [body.smallest, body.fullest]) {
      const tokens = editedTokens(body, { base, edits: [{ kind: 'put', at, value }] });
      if (tokens !== undefined) return tokens;
    }
    return undefined;
  }

  async function putAgain(place: JsonPointer, value: JsonValue): Promise<Probed> {
    const tokens = tokensWith(place, value);
    if (tokens === undefined) return unsent;
    let probed = await sendBodies(() => [tokens]);
    // A value that is the key itself has no other.
    const most = place === body.key?.pointer ? 1 : tries();
    for (let tried = 1; tried < most && probed.verdict === 'refused'; tried += 1) {
      probed = await sendBodies(() => [tokens]);
    }
    return probed;
  }

  function padded(bytes: number, keys: KeyBinding): Body {
    const style = keyStyle(operation);
    const { length } = renderBody(plain, (slot) => keyText(keys.serial(slot.slot), slot, style));
    const [first = '', ...others] = plain;
    return [first, ' '.repeat(Math.max(0, bytes - length)), ...others];
  }

  return {
    body,
    putAgain,
    put(place, value) {
      const name = `${place} ${stringifyJson(value)}`;
      const probed = known.get(name) ?? putAgain(place, value);
      known.set(name, probed);
      return probed;
    },
    pad: (bytes) => sendBodies((keys) => [padded(bytes, keys)]),
    repeatKey: () => sendBodies(() => [plain, plain]),
    freshSerial: () => sender.open().bindKeys().serial(0),
  };
}
