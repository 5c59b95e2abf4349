import { notAsked, unspecified } from '../probing.ts';
import { type ProbeSession, choices, type Behaviour, type Probed } from '../behaviour.ts';
import { asksCredentials, whyNoCredentials } from './credentials.ts';

/** The behaviour `accepted-tokens`: the tokens that are accepted. */
export const acceptedTokens: Behaviour<'accepted-tokens'> = {
  id: 'accepted-tokens',
  question: 'Which tokens are accepted?',
  ...choices<'accepted-tokens'>([
    ['any', 'any token that is not empty', 'Any token that is not empty.'],
    [
      'listed',
      'only those of a list, which no policy holds',
      'Those that --token, --token-file or the options of createMock give: bearer tokens, API keys, and `user:password` for basic authentication. Where some are given, this is the default. A policy holds no token.',
    ],
  ]),
  documentValue(operation) {
    const why = whyNoCredentials(operation);
    return why === undefined ? unspecified : notAsked(why);
  },
  probe: { mostRequests: 1, needsTaken: true, ask },
};

/** Sends a token that was never issued. */
async function ask({ operation, send }: ProbeSession): Probed<'accepted-tokens'> {
  if (!asksCredentials(operation)) return notAsked('it asks for no credentials');
  const { isAccepted } = await send({ credentials: 'unknown-token' });
  return { kind: 'answer', answer: isAccepted ? 'any' : 'listed' };
}
