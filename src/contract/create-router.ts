import { normalizePath } from '../http/normalize-path.ts';
import type { Contract } from './contract.ts';
import type { Operation } from './operation.ts';
import { decodePathText } from './parameters/decode-path-text.ts';
import type { PathSegment } from './path-template.ts';

/** What a path leads to. */
export interface Route {
  /** The operations of the path, by method in upper case. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** The values of its parameters, as they were sent: percent-encoded. */
  readonly parameters: Readonly<Record<string, string>>;
}

interface Entry {
  readonly segments: readonly PathSegment[];
  readonly operations: Map<string, Operation>;
}

const noParameters: Readonly<Record<string, string>> = {};

function capture(
  segments: readonly PathSegment[],
  parts: readonly string[],
): Record<string, string> | undefined {
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? '';
    if (segment.kind === 'literal') {
      if (segment.text !== part && segment.text !== decodePathText(part)) {
        return undefined;
      }
    } else if (segment.kind === 'parameter') {
      if (part === '') {
        return undefined;
      }
      parameters[segment.name] = part;
    } else {
      const match = segment.pattern.exec(part);
      if (match === null) {
        return undefined;
      }
      for (const [position, name] of segment.names.entries()) {
        parameters[name] = match[position + 1] ?? '';
      }
    }
  }
  return parameters;
}

/** Concrete segments come before templated ones (OpenAPI 3.1 §4.8.8). */
function byConcreteness(left: Entry, right: Entry): number {
  for (const [index, segment] of left.segments.entries()) {
    const rank = { literal: 0, mixed: 1, parameter: 2 } as const;
    const other = right.segments[index];
    if (other !== undefined && rank[segment.kind] !== rank[other.kind]) {
      return rank[segment.kind] - rank[other.kind];
    }
  }
  return 0;
}

/**
 * Indexes the paths of a contract.
 *
 * @returns a function from the path of a request, without its query, to its route, or undefined where no
 * path of the document fits
 */
export function createRouter(contract: Pick<Contract, 'operations'>): (path: string) => Route | undefined {
  const entries = new Map<string, Entry>();
  for (const operation of contract.operations) {
    const { template, segments } = operation.path;
    const entry = entries.get(template) ?? { segments, operations: new Map<string, Operation>() };
    entry.operations.set(operation.method, operation);
    entries.set(template, entry);
  }
  const exact = new Map<string, Route>();
  const templated: Entry[] = [];
  /** What is written in full, for requests that write it percent-encoded. */
  const literal: Entry[] = [];
  for (const [template, entry] of entries) {
    if (entry.segments.every((segment) => segment.kind === 'literal')) {
      exact.set(template, { operations: entry.operations, parameters: noParameters });
      literal.push(entry);
    } else {
      templated.push(entry);
    }
  }
  templated.sort(byConcreteness);
  return (written) => {
    const path = normalizePath(written);
    const route = exact.get(path);
    if (route !== undefined) {
      return route;
    }
    const parts = path.split('/').slice(1);
    for (const { segments, operations } of path.includes('%') ? [...literal, ...templated] : templated) {
      const parameters = segments.length === parts.length ? capture(segments, parts) : undefined;
      if (parameters !== undefined) {
        return { operations, parameters };
      }
    }
    return undefined;
  };
}
