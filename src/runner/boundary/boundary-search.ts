import { editedTokens, type PlainBody, plainTokens } from '../../arbitrary/plain-body.ts';
import { type Body, joinParts } from '../../arbitrary/request-case.ts';
import { buildRequest, renderBody } from '../../arbitrary/request.ts';
import { classifyStatus } from '../../check/classify/answer.ts';
import type { Operation } from '../../contract/contract.ts';
import type { JsonPointer } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Verdict } from '../../policy/find-limit.ts';
import { NoItem } from '../../session/items.ts';
import { keyStyle, keyText } from '../../session/keys.ts';
import type { Sender, SessionRecord } from '../../session/send-case.ts';
import type { IdContext } from '../../session/session.ts';

/** The result of a probe. */
export interface Probed {
  readonly verdict: Verdict;
  /** Undefined if nothing was sent: the document does not allow the value, or the run is stopped. */
  readonly record: SessionRecord | undefined;
}

/** Sends plain bodies of one operation with one change, each with a different id. */
export interface BoundarySearch {
  readonly body: PlainBody;
  /** Sends a plain body with a value at a place. An equal body is sent only once. */
  put(place: JsonPointer, value: JsonValue): Promise<Probed>;
  /** Works like put, but sends the body again. */
  putAgain(place: JsonPointer, value: JsonValue): Promise<Probed>;
  /** Sends a plain body that is padded to a number of bytes by white space between its tokens. */
  pad(bytes: number): Promise<Probed>;
  /** Sends a plain body whose id was just accepted, and returns the second result. */
  repeatKey(): Promise<Probed>;
  /** Returns a number that no other id of the run uses. */
  freshSerial(): number;
}

const unsent: Probed = { verdict: 'other', record: undefined };

/**
 * Creates the prober of an operation. Its ids are from a disjoint range, because a live store may contain those of one
 * day. `tries` is the number of rejections with different ids after which the id is not the cause.
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

  async function sendBodies(make: (keys: IdContext) => readonly Body[]): Promise<Probed> {
    if (isStopped()) return unsent;
    const session = sender.open({ far: true });
    const keys = session.openIdContext();
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
    // A value that is the id itself cannot be sent with another id.
    const most = place === body.key?.pointer ? 1 : tries();
    for (let tried = 1; tried < most && probed.verdict === 'refused'; tried += 1) {
      probed = await sendBodies(() => [tokens]);
    }
    return probed;
  }

  function padded(bytes: number, keys: IdContext): Body {
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
    freshSerial: () => sender.open().openIdContext().serial(0),
  };
}
