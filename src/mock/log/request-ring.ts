import { bytesOf } from './bytes-of.ts';
import { KeptRequest } from './kept-request.ts';
import type { RawRequest } from './raw-request.ts';
import { RequestShelf } from './request-shelf.ts';

/** Room that is free at the front of the list is given back when there is this much of it. */
const mostFree = 1024;

function withoutContent(request: RawRequest): RawRequest {
  const { content, answer } = request;
  if (content === undefined || typeof content === 'string') {
    return request;
  }
  // What would be read from the content later is read now.
  const problems = answer.note.problems?.();
  const note = problems === undefined ? answer.note : { ...answer.note, problems: () => problems };
  return {
    ...request,
    content: undefined,
    answer: { ...answer, note },
    leftOut: { request: content.length },
  };
}

function withoutBody(request: RawRequest): RawRequest {
  const { answer, leftOut } = request;
  return {
    ...request,
    answer: { ...answer, body: undefined },
    leftOut: { ...leftOut, response: bytesOf(answer.body) },
  };
}

/** Requests in the order of their ids, bounded in bytes. */
export interface RequestRing {
  /** Gives a request its id, and lets the oldest ones go where there is no room. */
  add(request: RawRequest): void;
  get(id: number): RawRequest | undefined;
  /** The oldest first. */
  list(): readonly RawRequest[];
  /** How many had to go since it was cleared. */
  readonly dropped: number;
  /** The id of the oldest one; 0 where there is none. */
  readonly first: number;
  /** The id of the newest one; 0 where there is none. */
  readonly last: number;
  clear(): void;
}

/**
 * Creates a ring of requests.
 *
 * @param maxBytes - about how much memory they may take together
 */
export function createRequestRing(maxBytes: number): RequestRing {
  let requests: (KeptRequest | undefined)[] = [];
  let shelf: RequestShelf | undefined;
  /** Where the oldest one stands; its id is the difference to the next id. */
  let first = 0;
  let nextId = 1;
  let bytes = 0;
  let dropped = 0;

  function dropOldest(): void {
    bytes -= requests[first]?.size ?? 0;
    requests[first] = undefined;
    first += 1;
    dropped += 1;
    if (first >= mostFree && first * 2 >= requests.length) {
      requests = requests.slice(first);
      first = 0;
    }
  }

  /** Leaves out of a request what has no room: its content first, and then that of its answer. */
  function reduce(request: RawRequest, onto: RequestShelf): KeptRequest {
    const alone = withoutContent(request);
    const kept = new KeptRequest(alone, onto);
    return kept.size > maxBytes ? new KeptRequest(withoutBody(alone), onto) : kept;
  }

  return {
    add(request) {
      request.id = nextId;
      nextId += 1;
      shelf ??= new RequestShelf(request.time);
      let kept = new KeptRequest(request, shelf);
      if (kept.size > maxBytes) {
        kept = reduce(request, shelf);
      }
      requests.push(kept);
      bytes += kept.size;
      while (bytes > maxBytes) {
        dropOldest();
      }
    },
    get: (id) => requests[requests.length - (nextId - id)],
    list: () => requests.slice(first).filter((request) => request !== undefined),
    get dropped() {
      return dropped;
    },
    get first() {
      return first < requests.length ? nextId - (requests.length - first) : 0;
    },
    get last() {
      return first < requests.length ? nextId - 1 : 0;
    },
    clear() {
      requests = [];
      shelf = undefined;
      first = 0;
      bytes = 0;
      dropped = 0;
    },
  };
}
