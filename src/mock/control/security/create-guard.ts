import { shorten } from '../../content/shorten.ts';
import type { RequestHead } from '../../steps/request-head.ts';
import type { ControlResult } from '../control-act.ts';
import type { Reach } from '../mounted.ts';
import { equalSecrets } from './equal-secrets.ts';
import { isForwarded } from './is-forwarded.ts';
import { hostOf } from './host-of.ts';
import { isLoopbackHost } from './is-loopback-host.ts';
import { isOwnOrigin } from './is-own-origin.ts';

/** Says why a request may not use the control interface, or undefined where it may. */
export type Guard = (head: RequestHead, reach: Reach) => ControlResult | undefined;

/** Where a browser says that a request comes from, if it may come from a page of the mock's own (Fetch Metadata §2.1). */
const ownSites: ReadonlySet<string> = new Set(['same-origin', 'none']);

function refuse(status: 401 | 403, message: string): ControlResult {
  return { status, body: { code: status, message } };
}

/** The control token that a request carries, in either of the fields that may. */
function readTokens(head: RequestHead): readonly string[] {
  const [, bearer] = /^bearer +([^ ]+) *$/iu.exec(head.header('authorization') ?? '') ?? [];
  const field = head.header('cloche-control-token');
  return [bearer, field].filter((token) => token !== undefined);
}

function askForToken(why: string, hasToken: boolean): string {
  const how = '"Authorization: Bearer …" or "Cloche-Control-Token: …"';
  return hasToken
    ? `${why}: send the control token of the mock as ${how}.`
    : `${why}, and the mock has no control token: start it with --control-token or $CLOCHE_CONTROL_TOKEN, and send that as ${how}.`;
}

/** Refuses what a page of another origin sends, or one whose name was made to lead to this machine. */
function refuseStranger(head: RequestHead): ControlResult | undefined {
  const host = hostOf(head);
  if (host === undefined || !isLoopbackHost(host)) {
    const named = host === undefined ? 'no host' : `the host ${JSON.stringify(shorten(host))}`;
    return refuse(
      403,
      `The control interface answers this machine alone, and the request names ${named}: use 127.0.0.1 or localhost, or send the control token.`,
    );
  }
  const origin = head.header('origin');
  if (origin !== undefined && !isOwnOrigin(origin, host)) {
    return refuse(
      403,
      `The control interface is not for pages of other origins, and the request comes from ${JSON.stringify(shorten(origin))}: use it from outside the page, or from the inspector.`,
    );
  }
  const site = head.header('sec-fetch-site');
  return site === undefined || ownSites.has(site)
    ? undefined
    : refuse(
        403,
        `The control interface is not for pages of other origins, and the browser calls the request ${JSON.stringify(shorten(site))}: use it from outside the page, or from the inspector.`,
      );
}

/**
 * Prepares the look at who may use the control interface: programs on this machine, and whoever has the control token.
 * No page of another origin may, even where its name was made to lead to this machine (DNS rebinding).
 *
 * @param token - undefined where there is none, so that nobody else may
 */
export function createGuard(token: string | undefined): Guard {
  return (head, reach) => {
    const sent = readTokens(head);
    if (token !== undefined && sent.some((each) => equalSecrets(each, token))) {
      return undefined;
    }
    if (reach === 'network') {
      return refuse(401, askForToken('The mock listens for other machines', token !== undefined));
    }
    if (reach === 'loopback' && isForwarded(head)) {
      return refuse(
        401,
        askForToken('A proxy handed the request on from another machine', token !== undefined),
      );
    }
    if (head.header('cloche-control-token') !== undefined && token !== undefined) {
      return refuse(401, 'The Cloche-Control-Token of the request is not that of this mock.');
    }
    return reach === 'in-process' ? undefined : refuseStranger(head);
  };
}
