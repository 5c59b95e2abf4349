import type { Contract } from '../../contract/contract.ts';
import type { DispatcherOptions } from '../../http/dispatcher-options.ts';
import type { HttpDispatcher } from '../../http/http-dispatcher.ts';
import type { Listener } from '../mock.ts';
import type { ListenOptions } from '../mock-options.ts';
import type { Sampler } from '../samples/sampler.ts';
import type { Responder } from '../steps/responder.ts';
import type { OpenedStore } from '../store/opened-store.ts';
import type { OuterStoreUrl } from '../store/parse-store-url.ts';

/**
 * What a mock takes from where it runs: Node or a browser. Whatever needs Node comes through here, so that the rest runs
 * anywhere.
 */
export interface MockPlatform {
  /** The version of this package. */
  readonly readVersion: () => Promise<string>;
  /** Makes the sampler that is asked for the answers of operations that no state can answer. */
  readonly createSampler: (contract: Contract) => Promise<Sampler>;
  /**
   * Opens a store that outlives the mock.
   *
   * @param tell - is given a sentence when the store goes away, and when it is back
   * @throws ClocheError STORE_UNUSABLE where it cannot be opened
   */
  readonly openStore: (url: OuterStoreUrl, tell: (sentence: string) => void) => Promise<OpenedStore>;
  /**
   * Serves the mock over HTTP.
   *
   * @throws ClocheError PORT_UNAVAILABLE where it cannot listen there
   */
  readonly listen: (responder: Responder, where?: ListenOptions) => Promise<Listener>;
  /**
   * Makes the dispatcher through which `fetch` reaches the mock.
   *
   * @throws ClocheError OPTION_INVALID for an origin that is none
   */
  readonly createDispatcher: (responder: Responder, which?: DispatcherOptions) => Promise<HttpDispatcher>;
}
