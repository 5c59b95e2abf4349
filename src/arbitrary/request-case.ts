import type { HeaderList } from '../http/header-list.ts';
import type { Framing } from '../http/send.ts';
import type { CredentialCase } from './credential-case.ts';
import type { KeySlot } from './key-slot.ts';

/** A piece of a body: text (sent as UTF-8), bytes as they are, or the place of a key. */
export type BodyPart = string | Uint8Array | KeySlot;

/**
 * A request before it leaves. Keys and credentials are filled in as it is sent, so that a case can be sent
 * again, shrunk and replayed without meeting its own trace.
 */
export interface RequestCase {
  /** The id of the operation that the request is aimed at, or undefined where it is aimed at none. */
  readonly operationId: string | undefined;
  readonly method: string;
  /** Path and query below the base URL, percent-encoded. */
  readonly target: string;
  /** Without credentials; Content-Type is here where there is one. */
  readonly headers: HeaderList;
  readonly credentials: CredentialCase;
  /** The pieces of the content in order, or undefined where there is none. */
  readonly body: readonly BodyPart[] | undefined;
  readonly framing: Framing;
}
