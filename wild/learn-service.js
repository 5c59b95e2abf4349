import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listHeldBack } from './held-back.js';
import { namesOf } from './names-of.js';
import { readAnswer } from './read-answer.js';
import { cloche, readWritten, runCloche, token } from './run-cloche.js';
import { sendHeldBack } from './send-held-back.js';
import { startService } from './start-service.js';

const contract = fileURLToPath(new URL('../spec/plant-store.yaml', import.meta.url));
/** Keys that are learnt with are none that are held back. */
const learnIds = '1000000-1999999';

/**
 * @typedef {object} HeldBackDifference
 * @property {string} request
 * @property {string} service - What the service answers, as `400, an error`.
 * @property {string} mock - What the mock answers that was told what was learnt.
 * @property {readonly string[]} named - The findings of the run that compares the two which say so.
 */

/**
 * @typedef {object} LearnOutcome
 * @property {Record<string, unknown>} answers - What the policy says.
 * @property {Record<string, string>} open - Why it says nothing of other questions.
 * @property {number} heldBack - How many requests were sent to both.
 * @property {readonly HeldBackDifference[]} differences
 * @property {readonly { id: string, level: string, check: string, verdict: string }[]} parity - By id.
 * @property {readonly string[]} drift - What a run notices that is told what was just learnt; nothing, if all is well.
 * @property {string} output - What the commands printed.
 */

/**
 * @param {Record<string, Record<string, unknown>>} evidence - By operation and question.
 * @returns {Record<string, string>}
 */
function listOpen({ operations }) {
  const questions = Object.values(operations).flatMap((operation) => Object.entries(operation));
  return Object.fromEntries(
    questions.flatMap(([id, said]) => {
      const kind = ['masked', 'contradictory', 'unsettled', 'notAsked'].find((each) => each in said);
      return kind === undefined ? [] : [[id, kind]];
    }),
  );
}

/** @param {import('./read-answer.js').AnswerClass} answer */
function write({ status, kind }) {
  return `${status}, ${kind}`;
}

/**
 * @param {string} url
 * @param {string} policy
 * @param {Record<string, unknown>} answers
 */
async function compareHeldBack(url, policy, answers) {
  const tokens = answers['accepted-tokens'] === 'any' ? [] : ['--token', token];
  const mock = await startService(
    {
      name: 'the mock',
      title: 'the mock',
      whyLeftOut: () => undefined,
      command: (port) => [
        process.execPath,
        cloche,
        'mock',
        contract,
        '--policy',
        policy,
        '--port',
        String(port),
        '--quiet',
        ...tokens,
      ],
    },
    token,
  );
  try {
    const differences = [];
    const requests = listHeldBack(token);
    for (const request of requests) {
      const [service, other] = await Promise.all([
        sendHeldBack(url, request),
        sendHeldBack(mock.url, request),
      ]);
      const pair = { service: write(readAnswer(service, request)), mock: write(readAnswer(other, request)) };
      if (pair.service !== pair.mock) {
        differences.push({ request: request.name, ...pair });
      }
    }
    return { heldBack: requests.length, differences };
  } finally {
    await mock.stop();
  }
}

/**
 * Learns what a service does where its contract is silent, has the mock answer so, sends both what was held back, and
 * runs the suites on the service: beside that mock, and once more with another seed. What they answer differently must
 * be named by the run, and nothing may be noticed that differs from what was just learnt.
 * @param {import('./services.js').WildService} service
 * @param {{ seed: number }} options
 * @returns {Promise<LearnOutcome>}
 * @throws {Error} where the service does not start, or a command leaves no file
 */
export async function learnService(service, { seed }) {
  const folder = mkdtempSync(join(tmpdir(), 'cloche-wild-'));
  const policy = join(folder, 'policy.json');
  let output = '';

  async function run(...args) {
    const ran = await runCloche(args);
    output += ran.output;
    return ran;
  }

  /** A run may bring a service down, so that each has one of its own. */
  async function judge(name, ...args) {
    const { url, stop } = await startService(service, token);
    const report = join(folder, `${name}.json`);
    try {
      const common = ['test', url, '--token', token, '--policy', policy, '--report', `json=${report}`];
      const ran = await run(...common, ...args);
      return readWritten(report, ran.output);
    } finally {
      await stop();
    }
  }

  try {
    const { url, stop } = await startService(service, token);
    let learnt;
    let compared;
    try {
      const ran = await run('learn', url, '--token', token, '--ids', learnIds, '--output', policy);
      learnt = readWritten(policy, ran.output);
      compared = await compareHeldBack(url, policy, learnt.answers);
    } finally {
      await stop();
    }
    const { findings } = await judge('parity', '--against', 'mock', '--seed', String(seed));
    const again = await judge('again', '--seed', String(seed + 1));
    return {
      answers: learnt.answers,
      open: listOpen(learnt.evidence),
      heldBack: compared.heldBack,
      differences: compared.differences.map((difference) => ({
        ...difference,
        named: namesOf(difference, findings),
      })),
      parity: findings
        .filter(({ parity }) => parity !== null && parity !== undefined)
        .map(({ id, level, check, parity }) => ({ id, level, check, verdict: parity.words }))
        .toSorted((left, right) => left.id.localeCompare(right.id, 'en')),
      drift: [...findings, ...again.findings]
        .filter(({ check }) => check === 'drift')
        .map(({ id, clause, received }) => `${id} ${clause?.question ?? ''}: ${received}`),
      output,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
