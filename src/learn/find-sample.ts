import { plainRequest } from '../arbitrary/plain-request.ts';
import type { Asker } from '../policy/probe.ts';
import { Unanswered } from '../policy/unanswered.ts';
import { type AskerInput, createAsker } from './create-asker.ts';
import { type SampleForm, sampleForms } from './sample-form.ts';

/** Which plain request of an operation a service takes. */
export interface FoundSample {
  /** Undefined where the operation takes no JSON object. */
  readonly form: SampleForm | undefined;
  readonly isTaken: boolean;
  /** The status of the first plain request; undefined where none was answered. */
  readonly status: number | undefined;
}

/** Statuses that say that another body would fare no better. */
const beforeBody: readonly (number | undefined)[] = [401, 403, 404, 405, 407, undefined];

/** Sends plain requests of one form after the other until one is taken: a service may bound what the document does not. */
export async function findSample(input: Omit<AskerInput, 'form'>): Promise<FoundSample> {
  const { body } = plainRequest(input.operation);
  const forms = body.kind === 'body' ? sampleForms(body.body) : [];
  let first: number | undefined;
  for (const form of forms.length === 0 ? [undefined] : forms) {
    const status = await sendSample(createAsker({ ...input, form }));
    first ??= status;
    if (status !== undefined && status >= 200 && status < 300) {
      return { form, isTaken: true, status };
    }
    if (beforeBody.includes(status)) {
      break;
    }
  }
  return { form: forms[0], isTaken: false, status: first };
}

/** @returns undefined where no answer came */
async function sendSample(asker: Asker): Promise<number | undefined> {
  try {
    return (await asker.send({})).status;
  } catch (error) {
    if (error instanceof Unanswered) {
      return undefined;
    }
    throw error;
  }
}
