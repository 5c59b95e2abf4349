/** The version of the data that the scripts store; it increases when the data format changes. */
const storeVersion = '1';

/**
 * The functions that the scripts share. Each operation is one script, because a script is atomic in Redis. The first
 * key is the prefix; all others begin with it and a colon:
 *
 * - `collections`: a sorted set of names, in creation order; `numbers`: a hash, the last number of each
 * - `sequence`: the number of the resource or collection that was created last
 * - `texts:NAME`, `order:NAME`: the resources of a collection: a hash of their texts, a sorted set of their ids
 * - `claims:NAME`, `holders:NAME`: two hashes, of the claims of each id and the id of each claim
 * - `version`: of the data; if another program emptied the Redis, the first collection restores it
 * - `snapshots`, `snapshot-counts`: two hashes, of contents and the number of resources in each
 *
 * Names, ids and claims are JSON texts (see toKeyText); the claims of a resource are a JSON array of these texts.
 */
const shared = `
local prefix = KEYS[1] .. ':'
local function register(name)
  if not redis.call('ZSCORE', prefix .. 'collections', name) then
    redis.call('SETNX', prefix .. 'version', '${storeVersion}')
    redis.call('ZADD', prefix .. 'collections', redis.call('INCR', prefix .. 'sequence'), name)
  end
end
local function release(name, key)
  local former = redis.call('HGET', prefix .. 'claims:' .. name, key)
  if former then
    for _, claim in ipairs(cjson.decode(former)) do
      redis.call('HDEL', prefix .. 'holders:' .. name, claim)
    end
    redis.call('HDEL', prefix .. 'claims:' .. name, key)
  end
end
local function keep(name, key, text, claims)
  register(name)
  if claims ~= '[]' then
    for _, claim in ipairs(cjson.decode(claims)) do
      local holder = redis.call('HGET', prefix .. 'holders:' .. name, claim)
      if holder and holder ~= key then
        return { 'claim-taken', claim }
      end
    end
  end
  release(name, key)
  if claims ~= '[]' then
    redis.call('HSET', prefix .. 'claims:' .. name, key, claims)
    for _, claim in ipairs(cjson.decode(claims)) do
      redis.call('HSET', prefix .. 'holders:' .. name, claim, key)
    end
  end
  if redis.call('HSET', prefix .. 'texts:' .. name, key, text) == 1 then
    redis.call('ZADD', prefix .. 'order:' .. name, redis.call('INCR', prefix .. 'sequence'), key)
  end
  return { 'stored' }
end
local function lacksParent(parents)
  local places = cjson.decode(parents)
  for at = 1, #places, 2 do
    if redis.call('HEXISTS', prefix .. 'texts:' .. places[at], places[at + 1]) == 1 then
      return false
    end
  end
  return #places > 0
end
local function remove(name, key, was)
  if was ~= '' and redis.call('HGET', prefix .. 'texts:' .. name, key) ~= was then
    return 0
  end
  release(name, key)
  redis.call('ZREM', prefix .. 'order:' .. name, key)
  return redis.call('HDEL', prefix .. 'texts:' .. name, key)
end
local function forget(name)
  for _, part in ipairs({ 'texts:', 'order:', 'claims:', 'holders:' }) do
    redis.call('UNLINK', prefix .. part .. name)
  end
end
-- Collections that are not in the list of collections any more are found by their keys.
local function forgetUnlisted()
  local escaped = string.gsub(prefix, '[%[%]*?\\\\]', '\\\\%0')
  for _, part in ipairs({ 'texts:', 'order:', 'claims:', 'holders:' }) do
    for _, key in ipairs(redis.call('KEYS', escaped .. part .. '*')) do
      redis.call('UNLINK', key)
    end
  end
end
local function forgetAll()
  if redis.call('EXISTS', prefix .. 'collections') == 0 then
    forgetUnlisted()
  end
  for _, name in ipairs(redis.call('ZRANGE', prefix .. 'collections', 0, -1)) do
    forget(name)
  end
  redis.call('UNLINK', prefix .. 'collections', prefix .. 'numbers', prefix .. 'sequence')
end
local function findDamage(name)
  local texts = redis.call('HLEN', prefix .. 'texts:' .. name)
  local order = redis.call('ZCARD', prefix .. 'order:' .. name)
  local claims = redis.call('HLEN', prefix .. 'claims:' .. name)
  local holders = redis.call('HLEN', prefix .. 'holders:' .. name)
  local lost
  if texts < order or texts < claims then
    lost = 'texts:' .. name
  elseif order < texts then
    lost = 'order:' .. name
  elseif claims > 0 and holders == 0 then
    lost = 'holders:' .. name
  elseif holders > 0 and claims == 0 then
    lost = 'claims:' .. name
  elseif texts > 0 and not redis.call('ZSCORE', prefix .. 'collections', name) then
    lost = 'collections'
  elseif texts > 0 and not tonumber(redis.call('GET', prefix .. 'sequence') or '') then
    lost = 'sequence'
  end
  return lost and redis.error_reply('DAMAGED ' .. prefix .. lost)
end
local function findUnlisted()
  local isLost = redis.call('EXISTS', prefix .. 'sequence') > redis.call('EXISTS', prefix .. 'collections')
  return isLost and redis.error_reply('DAMAGED ' .. prefix .. 'collections')
end
local function list(name, ranked)
  local found = {}
  for at = 1, #ranked, 2 do
    local key = ranked[at]
    found[#found + 1] = ranked[at + 1]
    found[#found + 1] = key
    found[#found + 1] = redis.call('HGET', prefix .. 'texts:' .. name, key)
    found[#found + 1] = redis.call('HGET', prefix .. 'claims:' .. name, key) or '[]'
  end
  return found
end
`;

/** Refuses to use a collection (its name is the first of ARGV) if another program deleted or changed one of its keys. */
const intact = `${shared}
local damage = findDamage(ARGV[1])
if damage then
  return damage
end
`;

/** Refuses to read the list of collections if another program deleted it. */
const listed = `${shared}
local damage = findUnlisted()
if damage then
  return damage
end
`;

const requireParent = `
if lacksParent(ARGV[5]) then
  return { 'parent-missing' }
end
`;

/** ARGV: name, id, text, claims, the parents as [name, id, name, id …] in JSON. Returns the outcome and its text. */
export const insertIfAbsent: string = `${intact}${requireParent}
local present = redis.call('HGET', prefix .. 'texts:' .. ARGV[1], ARGV[2])
if present then
  return { 'key-taken', present }
end
return keep(ARGV[1], ARGV[2], ARGV[3], ARGV[4])`;

/** ARGV: as for insertIfAbsent. Returns the outcome and its text. */
export const replace: string = `${intact}${requireParent}
return keep(ARGV[1], ARGV[2], ARGV[3], ARGV[4])`;

/** ARGV: as for insertIfAbsent, and the text that was read. Returns the outcome and its text. */
export const swap: string = `${intact}
if redis.call('HGET', prefix .. 'texts:' .. ARGV[1], ARGV[2]) ~= ARGV[6] then
  return { 'changed' }
end
return keep(ARGV[1], ARGV[2], ARGV[3], ARGV[4])`;

/** ARGV: name, id. Returns a text or nil. */
export const get: string = `${intact}
return redis.call('HGET', prefix .. 'texts:' .. ARGV[1], ARGV[2])`;

/** ARGV: name, id. Returns the claims in JSON. */
export const claims: string = `${intact}
return redis.call('HGET', prefix .. 'claims:' .. ARGV[1], ARGV[2]) or '[]'`;

/** ARGV: name. Returns a number. */
export const nextNumber: string = `${shared}
register(ARGV[1])
return redis.call('HINCRBY', prefix .. 'numbers', ARGV[1], 1)`;

/** Raises the last number of a collection. ARGV: name, number. */
export const passNumber: string = `${shared}
register(ARGV[1])
local last = redis.call('HGET', prefix .. 'numbers', ARGV[1]) or '0'
if tonumber(last) < tonumber(ARGV[2]) then
  redis.call('HSET', prefix .. 'numbers', ARGV[1], ARGV[2])
end
return 1`;

/** ARGV: name, id, the text that was read (empty for any). Returns 1 if it deleted a resource. */
export const deleteOne: string = `${intact}
return remove(ARGV[1], ARGV[2], ARGV[3])`;

/** ARGV: as for deleteOne, the prefix of the names below, `delete` or `refuse`. Returns the outcome. */
export const deleteTree: string = `${intact}
local text = redis.call('HGET', prefix .. 'texts:' .. ARGV[1], ARGV[2])
if not text or (ARGV[3] ~= '' and text ~= ARGV[3]) then
  return 'absent'
end
local below = {}
for _, name in ipairs(redis.call('ZRANGE', prefix .. 'collections', 0, -1)) do
  if string.sub(name, 1, #ARGV[4]) == ARGV[4] then
    if ARGV[5] == 'refuse' and redis.call('HLEN', prefix .. 'texts:' .. name) > 0 then
      return 'not-empty'
    end
    below[#below + 1] = name
  end
end
remove(ARGV[1], ARGV[2], '')
for _, name in ipairs(below) do
  forget(name)
  redis.call('ZREM', prefix .. 'collections', name)
  redis.call('HDEL', prefix .. 'numbers', name)
end
return 'deleted'`;

/** ARGV: name. Returns a number. */
export const count: string = `${intact}
return redis.call('HLEN', prefix .. 'texts:' .. ARGV[1])`;

/** Returns names and counts in turn. */
export const collections: string = `${listed}
local found = {}
for _, name in ipairs(redis.call('ZRANGE', prefix .. 'collections', 0, -1)) do
  found[#found + 1] = name
  found[#found + 1] = redis.call('HLEN', prefix .. 'texts:' .. name)
end
return found`;

/** ARGV: name, first and last index, `ascending` or `descending`. Returns position, id, text and claims in turn. */
export const listFrom: string = `${intact}
local command = ARGV[4] == 'descending' and 'ZREVRANGE' or 'ZRANGE'
return list(ARGV[1], redis.call(command, prefix .. 'order:' .. ARGV[1], ARGV[2], ARGV[3], 'WITHSCORES'))`;

/** ARGV: name, position before the page, limit, `ascending` or `descending`. Returns the same as listFrom. */
export const listAfter: string = `${intact}
local isDescending = ARGV[4] == 'descending'
local command = isDescending and 'ZREVRANGEBYSCORE' or 'ZRANGEBYSCORE'
local edge = isDescending and '-inf' or '+inf'
local order = prefix .. 'order:' .. ARGV[1]
return list(ARGV[1], redis.call(command, order, '(' .. ARGV[2], edge, 'WITHSCORES', 'LIMIT', 0, ARGV[3]))`;

/** Returns name, last number and resources in turn, the resources as in listFrom. */
export const dump: string = `${listed}
local found = {}
for _, name in ipairs(redis.call('ZRANGE', prefix .. 'collections', 0, -1)) do
  damage = findDamage(name)
  if damage then
    return damage
  end
  found[#found + 1] = name
  found[#found + 1] = redis.call('HGET', prefix .. 'numbers', name) or '0'
  found[#found + 1] = list(name, redis.call('ZRANGE', prefix .. 'order:' .. name, 0, -1, 'WITHSCORES'))
end
return found`;

const loadAll = `
forgetAll()
for _, collection in ipairs(cjson.decode(ARGV[1])) do
  register(collection[1])
  if collection[2] ~= '0' then
    redis.call('HSET', prefix .. 'numbers', collection[1], collection[2])
  end
  for _, resource in ipairs(collection[3]) do
    keep(collection[1], resource[1], resource[2], resource[3])
  end
end
return 1`;

/** Replaces all content. ARGV: collections as [name, last number, [[id, text, claims] …]], in JSON. */
export const load: string = `${shared}${loadAll}`;

/** ARGV: as for load. Returns 0 if a resource exists. */
export const loadIfEmpty: string = `${listed}
for _, name in ipairs(redis.call('ZRANGE', prefix .. 'collections', 0, -1)) do
  if redis.call('HLEN', prefix .. 'texts:' .. name) > 0 then
    return 0
  end
end${loadAll}`;

/** Removes everything except the snapshots. */
export const reset: string = `${shared}
forgetAll()
return 1`;

/** Stores a snapshot. ARGV: name, content, count. */
export const saveSnapshot: string = `${shared}
redis.call('HSET', prefix .. 'snapshots', ARGV[1], ARGV[2])
redis.call('HSET', prefix .. 'snapshot-counts', ARGV[1], ARGV[3])
return 1`;

/** ARGV: name. Returns a content or nil. */
export const readSnapshot: string = `${shared}
return redis.call('HGET', prefix .. 'snapshots', ARGV[1])`;

/** ARGV: name, old content, new content, number of resources in it; an empty content for none. Returns 1 or 0. */
export const swapSnapshot: string = `${shared}
if (redis.call('HGET', prefix .. 'snapshots', ARGV[1]) or '') ~= ARGV[2] then
  return 0
end
if ARGV[3] == '' then
  redis.call('HDEL', prefix .. 'snapshots', ARGV[1])
  redis.call('HDEL', prefix .. 'snapshot-counts', ARGV[1])
else
  redis.call('HSET', prefix .. 'snapshots', ARGV[1], ARGV[3])
  redis.call('HSET', prefix .. 'snapshot-counts', ARGV[1], ARGV[4])
end
return 1`;

/** ARGV: name. Returns 1 if the snapshot existed. */
export const deleteSnapshot: string = `${shared}
redis.call('HDEL', prefix .. 'snapshot-counts', ARGV[1])
return redis.call('HDEL', prefix .. 'snapshots', ARGV[1])`;

/** Returns names and counts in turn. */
export const snapshots: string = `${shared}
local found = {}
for _, entry in ipairs(redis.call('HKEYS', prefix .. 'snapshot-counts')) do
  found[#found + 1] = entry
  found[#found + 1] = redis.call('HGET', prefix .. 'snapshot-counts', entry)
end
return found`;

/** Returns the version of the data if it differs; sets the version if there is none. */
export const findOtherVersion: string = `${shared}
redis.call('SETNX', prefix .. 'version', '${storeVersion}')
local found = redis.call('GET', prefix .. 'version')
return found ~= '${storeVersion}' and found`;
