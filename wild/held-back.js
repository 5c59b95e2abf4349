// What is asked of a service and of the mock that was told what `cloche learn` saw there: written by hand, and no
// part of what `learn` or a run sends.

/**
 * @typedef {object} HeldBackRequest
 * @property {string} name - What it is about; no two are called alike.
 * @property {string} method
 * @property {string} path
 * @property {Readonly<Record<string, string>>} headers
 * @property {string | Buffer | undefined} body
 * @property {string | undefined} [plant] - The plant that it sends, as JSON, where an answer is to give it back.
 */

const json = 'application/json';

/**
 * @param {string} name
 * @param {string | Buffer | undefined} body
 * @param {{ token?: string | undefined, authorization?: string | undefined, type?: string | undefined, accept?: string, method?: string, path?: string }} [options]
 * @returns {(token: string) => HeldBackRequest}
 */
function request(name, body, options = {}) {
  return (token) => {
    const { method = 'POST', path = '/plants', accept } = options;
    const authorization = 'authorization' in options ? options.authorization : 'Bearer TOKEN';
    const type = 'type' in options ? options.type : body === undefined ? undefined : json;
    return {
      name,
      method,
      path,
      headers: {
        ...(authorization === undefined ? {} : { Authorization: authorization.replace('TOKEN', token) }),
        ...(type === undefined ? {} : { 'Content-Type': type }),
        ...(accept === undefined ? {} : { Accept: accept }),
        ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
      },
      body,
    };
  };
}

const fern = (id) => `{"id":${id},"name":"Fern","tag":"green"}`;

const requests = [
  request('a create', '{"id":11,"name":"Monstera","tag":"tropical"}'),
  request('a create without a tag', '{"id":12,"name":"Ivy"}'),
  request('its key again, the same plant', '{"id":12,"name":"Ivy"}'),
  request('its key again, another plant', '{"id":12,"name":"Hedera","tag":"climber"}'),
  request('the same name and tag under another key', '{"id":13,"name":"Monstera","tag":"tropical"}'),
  request('a key of nought', fern('0')),
  request('a negative key', fern('-14')),
  request('a key past 2^31', fern('4294967311')),
  request('a key past 2^53', fern('9007199254741993')),
  request('its neighbour past 2^53', fern('9007199254741992')),
  request('the largest int64', fern('9223372036854775807')),
  request('the smallest int64', fern('-9223372036854775808')),
  request('a key past int64', fern('170141183460469231731687303715884105727')),
  request('a key of 15.0', fern('15.0')),
  request('a key of 16e0', fern('16e0')),
  request('a key of 1.7e1', fern('1.7e1')),
  request('a key of 1.5', fern('1.5')),
  request('a key in quotes', fern('"18"')),
  request('a key that is true', fern('true')),
  request('no key', '{"name":"Fern"}'),
  request('no name', '{"id":19,"tag":"green"}'),
  request('a name that is a number', '{"id":20,"name":7}'),
  request('a name that is null', '{"id":21,"name":null}'),
  request('a name in a list', '{"id":22,"name":["Fern"]}'),
  request('a name that is an object', '{"id":23,"name":{"latin":"Pteridium"}}'),
  request('a tag that is null', '{"id":24,"name":"Fern","tag":null}'),
  request('an empty name', '{"id":25,"name":""}'),
  request('a padded name', '{"id":26,"name":"  Fern  "}'),
  request('a name of 10,000 letters', `{"id":27,"name":"${'fern'.repeat(2_500)}"}`),
  request('a name in other scripts', '{"id":28,"name":"Φτέρη 蕨 🌿","tag":"e\\u0301"}'),
  request('a name with escapes', '{"id":29,"name":"F\\u0065rn\\n\\t\\u0000","tag":"\\"\\\\/"}'),
  request('a lone surrogate', '{"id":30,"name":"\\ud800"}'),
  request('an undeclared property', '{"id":31,"name":"Fern","height":120}'),
  request(
    'undeclared properties that are large',
    '{"id":32,"name":"Fern","site":{"row":[1,2,{"bed":null}]}}',
  ),
  request('a property called __proto__', '{"id":33,"name":"Fern","__proto__":{"tag":"green"}}'),
  request('a name given twice', '{"id":34,"name":"Fern","name":"Moss"}'),
  request('a key given twice', '{"id":35,"name":"Fern","id":36}'),
  request('the key that was given first', fern('35')),
  request('white space all over', ' \r\n{ "id" :\t37 , "name" : "Fern" } \n'),
  request('an empty object', '{}'),
  request('a list', '[{"id":38,"name":"Fern"}]'),
  request('a list of pairs', '[["id",39],["name","Fern"]]'),
  request('null', 'null'),
  request('a text', '"Fern"'),
  request('cut short', '{"id":40,"name":"Fe'),
  request('a trailing comma', '{"id":41,"name":"Fern",}'),
  request('single quotes', "{'id':42,'name':'Fern'}"),
  request('a body that is NaN', 'NaN'),
  request('NaN in an undeclared property', '{"id":43,"name":"Fern","height":NaN}'),
  request('a byte order mark', '\uFEFF{"id":44,"name":"Fern"}'),
  request('bytes that are no UTF-8', Buffer.from('{"id":45,"name":"Foug\xe8re"}', 'latin1')),
  request('an empty body', ''),
  request('no body', undefined),
  request('depth', `{"id":46,"name":"Fern","deep":${'['.repeat(150)}${']'.repeat(150)}}`),
  request('40 KiB', `{"id":47,"name":"Fern"}${' '.repeat(40_960)}`),
  request('300 KiB', `{"id":48,"name":"Fern"}${' '.repeat(307_200)}`),
  request('1.5 MiB', `{"id":49,"name":"Fern"}${' '.repeat(1_572_864)}`),
  request('no credentials', fern('50'), { authorization: undefined }),
  request('another token', fern('51'), { authorization: 'Bearer sesame' }),
  request('another scheme', fern('52'), { authorization: 'Basic ZmVybjpncmVlbg==' }),
  request('a scheme without a token', fern('53'), { authorization: 'Bearer' }),
  request('the token alone', fern('54'), { authorization: 'TOKEN' }),
  request('a scheme in lower case', fern('55'), { authorization: 'bearer TOKEN' }),
  request('a scheme in capitals', fern('56'), { authorization: 'BEARER TOKEN' }),
  request('two spaces before the token', fern('57'), { authorization: 'Bearer  TOKEN' }),
  request('no credentials and an invalid body', '{"id":"58"}', { authorization: undefined }),
  request('no credentials and no JSON', '{', { authorization: undefined }),
  request('another token and an invalid body', '{"name":"Fern"}', { authorization: 'Bearer sesame' }),
  request('a key that was turned away before', fern('50')),
  request('a charset', fern('59'), { type: 'application/json; charset=utf-8' }),
  request('a media type in capitals', fern('60'), { type: 'APPLICATION/JSON' }),
  request('text/plain', fern('61'), { type: 'text/plain' }),
  request('application/xml', '<plant><id>62</id><name>Fern</name></plant>', { type: 'application/xml' }),
  request('a form', 'id=63&name=Fern', { type: 'application/x-www-form-urlencoded' }),
  request('a media type of our own', fern('64'), { type: 'application/vnd.plants+json' }),
  request('no media type', fern('65'), { type: undefined }),
  request('Accept: application/json', fern('66'), { accept: 'application/json' }),
  request('Accept: text/html', fern('67'), { accept: 'text/html' }),
  request('Accept: application/xml, */*;q=0.1', fern('68'), { accept: 'application/xml, */*;q=0.1' }),
  request('GET', undefined, { method: 'GET' }),
  request('HEAD', undefined, { method: 'HEAD' }),
  request('DELETE', undefined, { method: 'DELETE' }),
  request('PUT', fern('69'), { method: 'PUT' }),
  request('a plant', undefined, { method: 'GET', path: '/plants/11' }),
  request('another path', fern('70'), { path: '/seeds' }),
  request('a slash at the end', fern('71'), { path: '/plants/' }),
  request('a query', fern('72'), { path: '/plants?dry=1' }),
  request('a create at the end', '{"id":73,"name":"Fern","tag":""}'),
];

/**
 * The requests, in the order in which they are sent.
 * @param {string} token - The one that the service takes.
 * @returns {readonly HeldBackRequest[]}
 */
export function listHeldBack(token) {
  return requests.map((make) => make(token));
}
