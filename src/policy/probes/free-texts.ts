import type { Asker } from '../probe.ts';
import { readTexts } from './read-texts.ts';

/** The names of the properties that hold a text of the client's choice: they differ from sample to sample. */
export function freeTexts(asker: Asker): readonly string[] {
  const earlier = readTexts(asker.sample() ?? []);
  const later = readTexts(asker.sample() ?? []);
  return [...later].flatMap(([name, text]) => (earlier.get(name) === text ? [] : [name]));
}
