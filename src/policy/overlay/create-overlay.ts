import { buildContract } from '../../contract/build-contract.ts';
import type { Contract } from '../../contract/contract.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import type { Policy } from '../policy.ts';
import { silenceOf } from '../silence-of.ts';
import { applyChanges } from './apply-changes.ts';
import { type DeclaredAnswer, declareAnswers } from './declare-answers.ts';
import type { DocumentChange } from './document-change.ts';
import { givenAnswers } from './given-answers.ts';
import type { Overlay, OverlayAction } from './overlay.ts';
import { type LeftAnswer, placeAnswers } from './place-answers.ts';
import { toJsonPath } from './to-json-path.ts';

/** An overlay, and what of the policy could not be brought into it. */
export interface CreatedOverlay {
  readonly overlay: Overlay;
  /** Answers for operations that stand in another file, which no overlay of the document reaches. */
  readonly unsaid: readonly DeclaredAnswer[];
}

function toAction({ pointer, description, change }: DocumentChange): OverlayAction {
  const target = toJsonPath(pointer);
  return change.kind === 'remove'
    ? { target, description, remove: true }
    : { target, description, update: change.value };
}

/** The answers that the document with its changes does not give by OpenAPI's own means. */
function listUnsaid(input: {
  readonly contract: Contract;
  readonly answers: readonly DeclaredAnswer[];
  readonly changes: readonly DocumentChange[];
}): readonly LeftAnswer[] {
  const { contract, answers, changes } = input;
  const { source, openapi } = contract;
  const root = applyChanges(contract.root, changes);
  const changed = buildContract({ source, version: openapi, openapi, root, locate: () => undefined });
  return answers.flatMap((answer): readonly LeftAnswer[] => {
    const { id, operation, left } = answer;
    const now = changed.operations.find((each) => each.id === operation?.id);
    const silence = now === undefined ? undefined : silenceOf({ id, operation: now, contract: changed });
    const isSaid =
      silence?.kind === 'answered' && silence.answer !== undefined && jsonEqual(silence.answer, left);
    return isSaid ? [] : [{ ...answer, isContradicted: silence?.kind === 'answered' }];
  });
}

/**
 * Declares what a policy says of a document that is silent (OpenAPI Overlay 1.0.0): by OpenAPI's own means, and by
 * `x-cloche-policy` what it has no words for, or what a reader who rounds numbers would lose. With the overlay applied, the
 * document answers each of these questions itself. It changes the operations' own uses, never what they share.
 *
 * @param input.policy - the answers that are known; what it does not name is not declared
 * @param input.source - what the overlay calls the document
 * @throws DocumentError POLICY_INVALID where the document's own `x-cloche-policy` cannot be used
 */
export function createOverlay(input: {
  readonly contract: Contract;
  readonly policy: Partial<Policy>;
  readonly source?: string;
}): CreatedOverlay {
  const { contract, policy, source } = input;
  const given = givenAnswers(contract, policy);
  const declared = contract.operations.map((operation) =>
    declareAnswers(
      given.filter((each) => each.operation === operation),
      { contract, operation },
    ),
  );
  const ofService = given.filter((each) => each.operation === undefined);
  const changes = declared.flatMap((each) => each.changes);
  const answers = [
    ...ofService.map((each) => ({ ...each, left: each.answer })),
    ...declared.flatMap((each) => each.answers),
  ];
  const placed = placeAnswers(listUnsaid({ contract, answers, changes }), input);
  return {
    overlay: {
      overlay: '1.0.0',
      info: { title: `What ${contract.title} left unsaid`, version: contract.version },
      ...(source === undefined ? {} : { extends: source }),
      actions: [...changes, ...placed.changes].map(toAction),
    },
    unsaid: placed.unsaid,
  };
}
