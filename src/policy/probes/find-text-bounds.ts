import type { JsonObject } from '../../json/json-value.ts';
import { bisectBound } from './bisect-bound.ts';

/** Longer texts are not sent. */
const longest = 65_536;
const notable = [
  1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 20, 24, 25, 30, 32, 36, 40, 50, 60, 63, 64, 80, 100, 120, 127, 128,
  140, 150, 160, 180, 190, 191, 200, 250, 254, 255, 256, 300, 400, 500, 511, 512, 1_000, 1_023, 1_024, 2_000,
  2_047, 2_048, 4_000, 4_095, 4_096, 5_000, 8_000, 8_191, 8_192, 10_000, 16_383, 16_384, 20_000, 30_000,
  32_767, 32_768, 50_000, 65_535,
].map(BigInt);

/** What a text may be asked for. */
export interface TextQuestions {
  /** How long the texts are that are known to be taken. */
  readonly usual: number;
  /** Whether the schema takes a text of so many letters. */
  readonly isValid: (length: number) => boolean;
  /** Whether the service takes one. */
  readonly takes: (length: number) => Promise<boolean>;
  /** Whether it takes so many bytes of body at all. */
  readonly takesBytes: (length: number) => Promise<boolean>;
}

/** The longest text that can be sent: the schema and the limit of the body allow it. */
async function findLongest({ usual, isValid, takesBytes }: TextQuestions): Promise<number> {
  const lengths = [longest, ...notable.toReversed().map(Number)].filter((length) => length > usual);
  for (const length of lengths.filter(isValid)) {
    if (await takesBytes(length)) {
      return length;
    }
  }
  return usual;
}

/** The lengths of texts that a service bounds and the document does not, as a fragment of a schema. */
export async function findTextBounds(input: TextQuestions): Promise<JsonObject> {
  const { usual, takes, isValid } = input;
  const most = await findLongest(input);
  const common = { taken: BigInt(usual), notable, takes: (value: bigint) => takes(Number(value)) };
  const maxLength =
    most === usual || (await takes(most))
      ? undefined
      : await bisectBound({ ...common, refused: BigInt(most) });
  const least = [0, 1, 2, 3, 4, 6, 8].find(isValid) ?? usual;
  const minLength =
    least >= usual || (await takes(least))
      ? undefined
      : await bisectBound({ ...common, refused: BigInt(least) });
  return {
    ...(minLength === undefined ? {} : { minLength: Number(minLength) }),
    ...(maxLength === undefined ? {} : { maxLength: Number(maxLength) }),
  };
}
