/**
 * @typedef {object} NamedFinding
 * @property {string} id
 * @property {string} check
 * @property {string} expected
 * @property {string} received
 * @property {string | null} [trigger]
 * @property {{ words: string } | null} [parity]
 */

/**
 * By which findings a request is named that a service answers otherwise than the mock: those of a check, with words
 * in what was expected, received, or takes it.
 * @type {readonly (readonly [requests: RegExp, check: RegExp, words: RegExp])[]}
 */
const byRequest = [
  [/neighbour past 2\^53/u, /^twin-keys$/u, /./u],
  [/^a key of 1\.5|^a key in quotes|^a key that is true/u, /^invalid-body-accepted$/u, /\/id must/u],
  [/^a name (?:that is|in a list)/u, /^invalid-body-accepted$/u, /\/name must/u],
  [/^a tag that is null/u, /^invalid-body-accepted$/u, /\/tag must/u],
  [/^a list of pairs/u, /^invalid-body-accepted$/u, /must be an object/u],
  [/__proto__/u, /^undeclared-constraint$/u, /undeclared property/u],
  [/^a byte order mark/u, /^parity$/u, /byte order mark/u],
  [/^bytes that are no UTF-8/u, /^malformed-body-accepted$/u, /UTF-8/u],
  [/^NaN in/u, /^malformed-body-accepted$/u, /JSON5|NaN/u],
  [/^a lone surrogate/u, /^parity$/u, /lone surrogate/u],
  [/^a scheme in/u, /^credential-spelling$/u, /scheme is spelled/u],
  [/^two spaces/u, /^credential-spelling$/u, /./u],
  [/^application\/xml|^a form|media type/u, /^parity$/u, /unsupported-media-type/u],
  [/^its key again/u, /^parity$/u, /duplicate-key/u],
  [/^no body$/u, /^parity$/u, /a body without a media type/u],
  [/^no credentials and no JSON/u, /^parity$/u, /a request without credentials/u],
  [/^Accept: text\/html/u, /^parity$/u, /406/u],
];

/**
 * By which findings an answer is named, whatever was asked.
 * @type {readonly (readonly [answer: RegExp, check: RegExp, words: RegExp])[]}
 */
const byAnswer = [
  [/^200, other JSON/u, /^response-schema$/u, /^content that its schema accepts.* 200 /u],
  [/^400, other JSON/u, /^response-schema$/u, /^content that its schema accepts.* 400 /u],
  [/^422/u, /^undeclared-status$/u, /422/u],
  [/^5/u, /^server-error$/u, /./u],
];

/** What no run sends, so that none can name it. */
const unsent = [
  [/^1\.5 MiB/u, 'where body-limit is open, no run sends bodies so long'],
  [/^a slash at the end/u, 'no run sends it'],
  [/^a query/u, 'no run sends parameters that the document does not declare'],
];

/**
 * The findings of a run that name a difference between two answers.
 * @param {{ request: string, service: string }} difference
 * @param {readonly NamedFinding[]} findings
 * @returns {readonly string[]} their ids, or in words why there is none
 */
export function namesOf({ request, service }, findings) {
  const named = [
    ...byAnswer.filter(([answer]) => answer.test(service)),
    ...byRequest.filter(([requests]) => requests.test(request)),
  ].flatMap(([, check, words]) =>
    findings.filter(
      (finding) =>
        check.test(finding.check) &&
        words.test(
          `${finding.expected} ${finding.received} ${finding.trigger ?? ''} ${finding.parity?.words ?? ''}`,
        ),
    ),
  );
  const why = unsent.find(([requests]) => requests.test(request));
  const ids = [...new Set(named.map(({ id }) => id))].toSorted();
  return ids.length === 0 && why !== undefined ? [why[1]] : ids;
}
