import type { JsonObject, JsonValue } from '../../json/json-value.ts';

/** Sets a property; `__proto__` becomes an own one like any other. */
export function setOwn(target: JsonObject, name: string, value: JsonValue): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
    return;
  }
  target[name] = value;
}
