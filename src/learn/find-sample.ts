import { plainRequest } from '../arbitrary/plain-request.ts';
import { headerValue } from '../http/header-list.ts';
import type { Asker, ProbeExchange } from '../policy/probe.ts';
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
  /** The media type of that answer. */
  readonly mediaType: string | undefined;
  /** Where that answer sends the client (RFC 9110 §10.2.2). */
  readonly location: string | undefined;
}

/** Statuses that say that another body would fare no better. */
const beforeBody: readonly (number | undefined)[] = [401, 403, 404, 405, 407, undefined];

/** Sends plain requests of one form after the other until one is taken: a service may bound what the document does not. */
export async function findSample(input: Omit<AskerInput, 'form'>): Promise<FoundSample> {
  const { body } = plainRequest(input.operation);
  const forms = body.kind === 'body' ? sampleForms(body.body) : [];
  let first: ProbeExchange | undefined;
  const describe = (
    answered: ProbeExchange | undefined,
  ): Pick<FoundSample, 'status' | 'mediaType' | 'location'> => ({
    status: answered?.status,
    mediaType: answered?.mediaType,
    location: answered === undefined ? undefined : headerValue(answered.headers, 'location'),
  });
  for (const form of forms.length === 0 ? [undefined] : forms) {
    const answered = await sendSample(createAsker({ ...input, form }));
    first ??= answered;
    if (answered?.isAccepted === true) {
      return { form, isTaken: true, ...describe(answered) };
    }
    if (beforeBody.includes(answered?.status)) {
      break;
    }
  }
  return { form: forms[0], isTaken: false, ...describe(first) };
}

/** @returns undefined where no answer came */
async function sendSample(asker: Asker): Promise<ProbeExchange | undefined> {
  try {
    return await asker.send({});
  } catch (error) {
    if (error instanceof Unanswered) {
      return undefined;
    }
    throw error;
  }
}
