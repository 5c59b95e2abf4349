import { escapeHtml } from '../request/unknown-path.ts';

const style = `:root{color-scheme:light dark}
*{box-sizing:border-box}
body{font:1rem/1.5 system-ui,sans-serif;max-width:28rem;margin:2rem auto;padding:0 1rem}
label{display:block;margin:.5rem 0;overflow-wrap:anywhere}
input:not([type=checkbox]){display:block;width:100%;font:inherit;padding:.5rem}
input[type=checkbox]{width:1.25rem;height:1.25rem;vertical-align:text-bottom}
fieldset{margin:1rem 0}
button{font:inherit;padding:.6rem 1.5rem;margin:.5rem .5rem 0 0}`;

function renderPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`;
}

function renderProblem(problem: string | undefined): string {
  return problem === undefined ? '' : `<p role="alert">${escapeHtml(problem)}</p>`;
}

/** The content of the consent page. */
interface ConsentContent {
  readonly title: string;
  readonly clientId: string;
  readonly user: string;
  /** Why the last attempt failed. */
  readonly problem: string | undefined;
  /** The requested scopes with their descriptions. */
  readonly scopes: readonly (readonly [scope: string, about: string])[];
  readonly asksForPassword: boolean;
  /** The parameters of the request, which the form sends again. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** Renders the page on which a person logs in and allows a client some scopes. It needs no script. */
export function renderConsent(consent: ConsentContent): string {
  const { title, clientId, user, problem, scopes, asksForPassword, parameters } = consent;
  const hidden = parameters.map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const boxes = scopes.map(
    ([scope, about]) =>
      `<label><input type="checkbox" name="granted_scope" value="${escapeHtml(scope)}" checked> ${escapeHtml(scope)}${about === '' ? '' : `: ${escapeHtml(about)}`}</label>`,
  );
  const password =
    '<label>Password <input type="password" name="password" autocomplete="current-password" required></label>';
  return renderPage(
    `Log in to ${title}`,
    `<p>This is a mock of the login. The client <strong>${escapeHtml(clientId)}</strong> asks for access.</p>
${renderProblem(problem)}
<form method="post">
${hidden.join('\n')}
<label>User <input name="user" value="${escapeHtml(user)}" autocomplete="username" required></label>
${asksForPassword ? password : ''}
${boxes.length === 0 ? '' : `<fieldset><legend>Scopes</legend>\n${boxes.join('\n')}\n</fieldset>`}
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny" formnovalidate>Deny</button>
</form>`,
  );
}

/** Renders the page on which a person types the code that a device shows (RFC 8628 §3.3). */
export function renderCodeForm(problem: string | undefined): string {
  return renderPage(
    'Log in on a device',
    `${renderProblem(problem)}
<form>
<label>Code <input name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" required></label>
<button>Continue</button>
</form>`,
  );
}

/** Renders a page with only a message. */
export function renderMessage(title: string, message: string): string {
  return renderPage(title, renderProblem(message));
}
