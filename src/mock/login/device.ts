import type { MockResponse } from '../message.ts';
import type { IssuedTokens } from '../request/issued-tokens.ts';
import { type Client, readClient, refuseClient } from './clients.ts';
import type { Consent } from './consent.ts';
import { renderCodeForm, renderMessage } from './consent-page.ts';
import {
  answerJson,
  answerPage,
  denied,
  invalid,
  isProblem,
  issuerOf,
  type LoginProblem,
  type LoginRequest,
  readScopes,
  valueOf,
} from './login-answer.ts';
import { createSecret, type Grant, keep } from './tokens.ts';

/** The login of a device, until its client gets the tokens. */
interface DeviceLogin {
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** The code without separators, which a person types. */
  readonly userCode: string;
  readonly expiresAt: number;
  /** The time between two polls, in seconds. */
  interval: number;
  /** The time before which a poll is too early. */
  nextPollAt: number;
  /** The decision of the user; undefined until then. */
  decision: Grant | LoginProblem | undefined;
}

/** The logins of devices, which have no browser (RFC 8628). */
export interface DeviceLogins {
  /** Answers a device authorization request (RFC 8628 §3.1). */
  start(request: LoginRequest): MockResponse;
  /** Answers the browser of the user at the verification page (RFC 8628 §3.3). */
  verify(request: LoginRequest): MockResponse;
  /** Exchanges a device code for a grant, once the user has decided (RFC 8628 §3.4). */
  exchange(request: LoginRequest, client: Client): Grant | LoginProblem;
}

/** The time for which the codes of a device are valid, in seconds. */
const lifetime = 600;
/** The time between two polls, in seconds, and what each `slow_down` adds to it (RFC 8628 §3.5). */
const usualInterval = 1;
const slowDown = 5;

/** Creates a code of consonants, which form no words (RFC 8628 §6.1). */
function createUserCode(): string {
  const letters = 'BCDFGHJKLMNPQRSTVWXZ';
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => letters[byte % letters.length]).join(
    '',
  );
}

/** Creates the logins of devices, which expire by the clock of the mock. */
export function createDeviceLogins(issued: IssuedTokens, consent: Consent): DeviceLogins {
  /** The logins by their device codes. */
  const logins = new Map<string, DeviceLogin>();

  function findPending(typed: string): DeviceLogin | undefined {
    const code = typed.toUpperCase().replaceAll(/[^A-Z]/gu, '');
    return [...logins.values()].find(
      ({ userCode, decision, expiresAt }) =>
        userCode === code && decision === undefined && expiresAt > issued.now(),
    );
  }

  return {
    start(request) {
      const client = readClient(request);
      if (isProblem(client)) return refuseClient(request, client);
      const scopes = readScopes(request);
      if (isProblem(scopes)) return refuseClient(request, scopes);
      if (client.id === undefined) return refuseClient(request, invalid('Send a client_id.'));
      const [deviceCode, userCode] = [createSecret(), createUserCode()];
      keep(logins, deviceCode, {
        issuer: issuerOf(request),
        clientId: client.id,
        scopes,
        userCode,
        expiresAt: issued.now() + lifetime * 1_000,
        interval: usualInterval,
        nextPollAt: 0,
        decision: undefined,
      });
      const page = `${request.origin}${request.issuer.endpoints.verification}`;
      const shown = `${userCode.slice(0, 4)}-${userCode.slice(4)}`;
      const body = {
        device_code: deviceCode,
        user_code: shown,
        verification_uri: page,
        verification_uri_complete: `${page}?user_code=${shown}`,
        expires_in: lifetime,
        interval: usualInterval,
      };
      return answerJson(body, 'Started the login of a device');
    },
    verify(request) {
      const typed = valueOf(request.parameters, 'user_code');
      if (typed === undefined)
        return answerPage(renderCodeForm(undefined), 200, { message: 'Asked for the code' });
      const login = findPending(typed);
      if (login === undefined) {
        const message = 'The code is unknown, was used before or has expired.';
        return answerPage(renderCodeForm(message), 400, { message, condition: 'invalid-parameter' });
      }
      const { issuer, clientId } = login;
      const result = consent({ request, clientId, scopes: login.scopes });
      if ('status' in result) return result;
      if (isProblem(result)) {
        const { error, message } = result;
        if (error === 'access_denied') login.decision = result;
        const status = error === 'access_denied' ? 200 : 400;
        return answerPage(renderMessage('The device gets no access', message), status, { message });
      }
      const { user, scopes, cookie } = result;
      login.decision = { issuer, clientId, user, scopes, authTime: Math.floor(issued.now() / 1_000) };
      const html = renderMessage(
        'The device gets access',
        'You can close this page and return to the device.',
      );
      const page = answerPage(html, 200, { message: 'Granted access to a device' });
      return cookie === undefined ? page : { ...page, headers: [...page.headers, 'Set-Cookie', cookie] };
    },
    exchange({ parameters }, { id }) {
      const code = valueOf(parameters, 'device_code');
      if (code === undefined || id === undefined) return invalid('Send the device_code and the client_id.');
      const login = logins.get(code);
      if (login === undefined) return denied('The device_code is unknown or was used before.');
      if (login.clientId !== id) return denied('The device_code was issued to another client.');
      const now = issued.now();
      if (login.expiresAt <= now) return { error: 'expired_token', message: 'The device_code has expired.' };
      const { decision } = login;
      if (decision === undefined) {
        const isEarly = now < login.nextPollAt;
        if (isEarly) login.interval += slowDown;
        login.nextPollAt = now + login.interval * 1_000;
        return isEarly
          ? { error: 'slow_down', message: `Wait ${login.interval} seconds between two requests.` }
          : { error: 'authorization_pending', message: 'The user has not decided yet.' };
      }
      if (!isProblem(decision)) logins.delete(code);
      return decision;
    },
  };
}
