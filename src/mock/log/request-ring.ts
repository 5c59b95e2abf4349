import { bytesOf } from './bytes-of.ts';
import type { RawRequest } from './raw-request.ts';

/** What a request takes besides its texts and bytes, and a text besides its characters, estimated on Node 20. */
const requestOverhead = 500;
const contentOverhead = 200;
const textOverhead = 24;
/** Room that is free at the front of the list is given back when there is this much of it. */
const mostFree = 1024;

function lengthOf(content: RawRequest['content']): number {
  return content === undefined || typeof content === 'string' ? 0 : contentOverhead + content.length;
}

/** About how many bytes of memory a request takes. */
function sizeOf({ fields, target, content, answer }: RawRequest): number {
  const { body, headers, note } = answer;
  let size = requestOverhead + target.length + lengthOf(content) + headers.length * 8;
  for (const text of fields) {
    size += textOverhead + text.length;
  }
  size += typeof body === 'string' ? textOverhead + body.length : lengthOf(body);
  // What is wrong with a body is said when it is asked for, from the value that was read.
  return note.problems === undefined ? size : size + 4 * lengthOf(content);
}

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

const reductions = [withoutContent, withoutBody];

/** Requests in the order of their ids, bounded in bytes. */
export interface RequestRing {
  /** Gives a request its id, and lets the oldest ones go where there is no room. */
  add(request: RawRequest): void;
  get(id: number): RawRequest | undefined;
  /** The oldest first. */
  list(): readonly RawRequest[];
  /** How many had to go since it was cleared. */
  readonly dropped: number;
  clear(): void;
}

/**
 * Creates a ring of requests.
 *
 * @param maxBytes - about how much memory they may take together
 */
export function createRequestRing(maxBytes: number): RequestRing {
  let requests: (RawRequest | undefined)[] = [];
  let sizes: number[] = [];
  /** Where the oldest one stands; its id is the difference to the next id. */
  let first = 0;
  let nextId = 1;
  let bytes = 0;
  let dropped = 0;

  function dropOldest(): void {
    bytes -= sizes[first] ?? 0;
    requests[first] = undefined;
    first += 1;
    dropped += 1;
    if (first >= mostFree && first * 2 >= requests.length) {
      requests = requests.slice(first);
      sizes = sizes.slice(first);
      first = 0;
    }
  }

  return {
    add(request) {
      request.id = nextId;
      nextId += 1;
      let size = sizeOf(request);
      let kept = request;
      for (const reduce of reductions) {
        if (size > maxBytes) {
          kept = reduce(kept);
          size = sizeOf(kept);
        }
      }
      requests.push(kept);
      sizes.push(size);
      bytes += size;
      while (bytes > maxBytes) {
        dropOldest();
      }
    },
    get: (id) => requests[requests.length - (nextId - id)],
    list: () => requests.slice(first).filter((request) => request !== undefined),
    get dropped() {
      return dropped;
    },
    clear() {
      requests = [];
      sizes = [];
      first = 0;
      bytes = 0;
      dropped = 0;
    },
  };
}
