import { createCredentialHider } from '../check/hide-credentials.ts';
import type { Contract } from '../contract/contract.ts';
import type { RunEvent, RunFinding, RunResult, TrafficEvent } from './events.ts';

/** Removes credentials that a service returned from the events and the result of a run. */
interface RunCredentialHider {
  /** Hides credentials in events of a run. Those of traffic are hidden when it is checked. */
  readonly event: (event: RunEvent | TrafficEvent) => RunEvent | TrafficEvent;
  readonly result: (result: RunResult) => RunResult;
}

/**
 * Creates a hider of credentials in responses: session cookies, access tokens, passwords. The requests of a run contain
 * only what it generated, and the credentials that the user gave, which reports hide anyway.
 */
export function createRunCredentialHider(contract: Pick<Contract, 'root'>): RunCredentialHider {
  const hide = createCredentialHider(contract, { isOfRun: true });

  function hideFinding(found: RunFinding): RunFinding {
    const { exchange, finding, earlier } = found;
    const judged = hide.judged({ ...exchange, findings: [...exchange.findings, finding] });
    return {
      ...found,
      exchange: { ...judged, findings: judged.findings.slice(0, -1) },
      finding: judged.findings.at(-1) ?? finding,
      ...(earlier === undefined ? {} : { earlier: earlier.map(hide.judged) }),
    };
  }

  const hideResult = (result: RunResult): RunResult => ({
    ...result,
    findings: result.findings.map(hideFinding),
  });
  return {
    event(event) {
      if (event.kind === 'exchange') return { ...event, judged: hide.judged(event.judged) };
      if (event.kind === 'finding') return { ...event, finding: hideFinding(event.finding) };
      return event.kind === 'run-finished' ? { ...event, result: hideResult(event.result) } : event;
    },
    result: hideResult,
  };
}
