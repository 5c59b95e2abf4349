/**
 * What a client tells one answer from another by: the status, and what kind of content came with it.
 *
 * @typedef {object} AnswerClass
 * @property {number | 'none'} status
 * @property {string} kind - `the plant` (name and tag as they were sent), `a plant`, `an error`, `a problem` (RFC 9457),
 *   `other JSON`, `text`, `empty`; `content` where the status is not declared, so that its shape is nobody's matter; `anything` where nobody declared the operation, so that nothing is said of it.
 */

const utf8 = new TextDecoder('utf-8', { fatal: true });
const own = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined);

/**
 * @param {Buffer | string | undefined} body
 * @returns {unknown}
 */
function parse(body) {
  try {
    return JSON.parse(Buffer.isBuffer(body) ? utf8.decode(body) : String(body));
  } catch {
    return undefined;
  }
}

/** @param {unknown} value */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * @param {import('./send-held-back.js').HeldBackAnswer} answer
 * @param {Buffer | string | undefined} sent
 */
function readKind({ status, type, body }, sent) {
  if (body.length === 0) {
    return 'empty';
  }
  if (type.startsWith('application/problem+json')) {
    return 'a problem';
  }
  if (status !== 200 && status !== 400) {
    return 'content';
  }
  const value = parse(body);
  if (!isObject(value)) {
    return value === undefined ? 'text' : 'other JSON';
  }
  if (Number.isInteger(own(value, 'error')) && typeof own(value, 'message') === 'string') {
    return 'an error';
  }
  const tag = own(value, 'tag');
  const isPlant = typeof own(value, 'name') === 'string' && (tag === undefined || typeof tag === 'string');
  if (status >= 300 || !isPlant) {
    return 'other JSON';
  }
  const plant = parse(sent);
  const isSame =
    isObject(plant) && own(plant, 'name') === value.name && (own(plant, 'tag') ?? '') === (tag ?? '');
  return isSame ? 'the plant' : 'a plant';
}

/**
 * @param {import('./send-held-back.js').HeldBackAnswer | undefined} answer - Undefined where none came.
 * @param {import('./held-back.js').HeldBackRequest} request
 * @returns {AnswerClass}
 */
export function readAnswer(answer, { method, path, body }) {
  if (answer === undefined) {
    return { status: 'none', kind: 'empty' };
  }
  const isDeclared = method === 'POST' && /^\/plants(?:$|\?)/u.test(path);
  return { status: answer.status, kind: isDeclared ? readKind(answer, body) : 'anything' };
}
