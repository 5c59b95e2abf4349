import { parseCookies } from '../../contract/read-parameters.ts';
import type { MockResponse } from '../message.ts';
import { renderConsent } from './consent-page.ts';
import { answerPage, type LoginProblem, type LoginRequest, valueOf } from './login-answer.ts';
import { createSecret, keep } from './tokens.ts';

/** The access for which a client asks a user. */
export interface AskedAccess {
  readonly request: LoginRequest;
  readonly clientId: string;
  readonly scopes: readonly string[];
}

/** A user and the scopes that the user grants. */
interface Allowed {
  readonly user: string;
  readonly scopes: readonly string[];
  /** The `Set-Cookie` by which the mock recognizes the user again; undefined if the user had logged in before. */
  readonly cookie?: string;
}

/** Asks a user. Returns the page to show, or else the decision, or the reason that there is no user. */
export type Consent = (asked: AskedAccess) => MockResponse | Allowed | LoginProblem;

/** The cookie by which the mock recognizes a user who has logged in. */
const sessionCookie = 'cloche_login';
/** The default user of the consent page. */
const usualUser = 'user';
/** The fields of the consent page. */
const pageFields: ReadonlySet<string> = new Set(['user', 'password', 'granted_scope', 'decision']);

/** Creates the consent of users. It remembers who has logged in. */
export function createConsent(): Consent {
  /** The users by their session cookies. */
  const sessions = new Map<string, string>();

  function findSession({ head }: LoginRequest): string | undefined {
    const cookies = parseCookies(head.header('cookie')).filter(([name]) => name === sessionCookie);
    return cookies.flatMap(([, value]) => sessions.get(value) ?? [])[0];
  }

  function showPage({ request, clientId, scopes }: AskedAccess, problem?: string): MockResponse {
    const { parameters, model, accounts } = request;
    const html = renderConsent({
      title: model.title,
      clientId,
      problem,
      user:
        valueOf(parameters, 'user') ?? valueOf(parameters, 'login_hint') ?? findSession(request) ?? usualUser,
      scopes: scopes.map((scope) => [scope, model.scopes.get(scope) ?? ''] as const),
      asksForPassword: accounts !== undefined,
      parameters: [...parameters].filter(([name]) => !pageFields.has(name)),
    });
    return problem === undefined
      ? answerPage(html, 200, { message: 'Asked for consent' })
      : answerPage(html, 403, { message: problem, condition: 'invalid-credentials' });
  }

  /** Handles the form of the consent page. */
  function decide(asked: AskedAccess): ReturnType<Consent> {
    const { parameters, accounts } = asked.request;
    if (parameters.get('decision') !== 'allow')
      return { error: 'access_denied', message: 'The user denied the access.' };
    const user = valueOf(parameters, 'user') ?? usualUser;
    if (accounts?.has(`${user}:${parameters.get('password') ?? ''}`) === false)
      return showPage(asked, 'The user and the password are not among the accepted tokens.');
    const session = createSecret();
    keep(sessions, session, user);
    const scopes = parameters.getAll('granted_scope').filter((scope) => asked.scopes.includes(scope));
    return { user, scopes, cookie: `${sessionCookie}=${session}; Path=/; HttpOnly; SameSite=Lax` };
  }

  return (asked) => {
    const { request, scopes } = asked;
    const { head, parameters, accounts } = request;
    if (head.method === 'POST' && parameters.has('decision')) return decide(asked);
    if (parameters.get('prompt') !== 'none') return showPage(asked);
    // A test names the user and needs no page. Listed users need their password.
    const hint = accounts === undefined ? valueOf(parameters, 'login_hint') : undefined;
    const user = hint ?? findSession(request);
    const message = 'No user has logged in on this browser. A login_hint names a user for prompt=none.';
    return user === undefined ? { error: 'login_required', message } : { user, scopes };
  };
}
