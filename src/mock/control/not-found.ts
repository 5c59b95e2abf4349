import type { ControlResult } from './control-act.ts';

/** The answer where something is asked for that there is not. */
export function notFound(message: string): ControlResult {
  return { status: 404, body: { code: 404, message } };
}
