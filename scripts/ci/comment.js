// The step "Comment on the pull request" of action.yml. It writes the Markdown report as a comment, and updates that
// comment in later runs. A failure is a warning: the result of the job depends on the run alone.
import { readFileSync } from 'node:fs';

const {
  GITHUB_API_URL: api,
  GITHUB_EVENT_PATH: eventPath,
  GITHUB_REPOSITORY: repository,
  GITHUB_RUN_ID: runId,
  GITHUB_SERVER_URL: server,
  INPUT_MARKDOWN: file,
  INPUT_NAME: name,
  INPUT_TOKEN: token,
} = process.env;

/** The maximum length of a comment on GitHub, in characters. */
const longestComment = 65_536;

/** Sends a request to the API of GitHub; throws an Error if the status is none of success. */
async function call(method, path, body) {
  const response = await fetch(`${api}${path}`, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'user-agent': 'cloche',
      'x-github-api-version': '2022-11-28',
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) {
    const permission = 'Grant the permission "pull-requests: write"; the token of a fork never has it.';
    const remedy = response.status === 403 || response.status === 404 ? ` ${permission}` : '';
    throw new Error(`GitHub answered ${method} ${path} with ${response.status} ${text}.${remedy}`);
  }
  return JSON.parse(text);
}

/** Returns the number of the pull request that started the workflow; undefined for other events. */
function findPullRequest() {
  const { pull_request: pull, issue } = JSON.parse(readFileSync(eventPath, 'utf8'));
  return pull?.number ?? (issue?.pull_request === undefined ? undefined : issue.number);
}

/**
 * Finds the comment of an earlier run. Somebody else may quote the marker, so the author must be the owner of the token.
 * The token of a workflow belongs to a bot and cannot read its own user.
 */
async function findComment(comments, marker) {
  const login = await call('GET', '/user').then(
    (user) => user.login,
    () => undefined,
  );
  const pageSize = 100;
  for (let page = 1; ; page += 1) {
    const listed = await call('GET', `${comments}?per_page=${pageSize}&page=${page}`);
    const found = listed.find(
      ({ body, user }) =>
        body.startsWith(marker) && (login === undefined ? user.type === 'Bot' : user.login === login),
    );
    if (found !== undefined || listed.length < pageSize) return found;
  }
}

/** Returns the text of the comment, cut to the length that GitHub accepts. */
function toBody(marker, report) {
  const whole = `${marker}\n${report}`;
  if (whole.length <= longestComment) return whole;
  const link = `${server}/${repository}/actions/runs/${runId}`;
  const note = `The report is too long for a comment; the [run](${link}) has all of it.\n\n`;
  const cut = report.slice(0, longestComment - marker.length - note.length - 1);
  return `${marker}\n${note}${cut.slice(0, cut.lastIndexOf('\n'))}`;
}

async function comment() {
  const number = findPullRequest();
  if (number === undefined) {
    console.log('::notice::No pull request started this workflow, so Cloche writes no comment.');
    return;
  }
  // No two hyphens in a row: they would end the marker.
  const marker = `<!-- cloche ${name.replaceAll(/[^\w.]+/gu, '-')} -->`;
  const body = toBody(marker, readFileSync(file, 'utf8'));
  const comments = `/repos/${repository}/issues/${number}/comments`;
  const earlier = await findComment(comments, marker);
  const written =
    earlier === undefined
      ? await call('POST', comments, { body })
      : await call('PATCH', `/repos/${repository}/issues/comments/${earlier.id}`, { body });
  console.log(`${earlier === undefined ? 'Created' : 'Updated'} ${written.html_url}`);
}

try {
  await comment();
} catch (error) {
  const reason = [error.message, error.cause?.message].filter(Boolean).join(': ').replaceAll(/\s+/gu, ' ');
  console.log(`::warning::Failed to write the comment: ${reason}`);
}
