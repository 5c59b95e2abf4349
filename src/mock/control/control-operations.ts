import type { ControlOperation } from './control-operation.ts';
import { advanceClock } from './operations/advance-clock.ts';
import { clearFaults } from './operations/clear-faults.ts';
import { clearRequests } from './operations/clear-requests.ts';
import { createFault } from './operations/create-fault.ts';
import { deleteFault } from './operations/delete-fault.ts';
import { deletePolicy } from './operations/delete-policy.ts';
import { deleteResource } from './operations/delete-resource.ts';
import { deleteSnapshot } from './operations/delete-snapshot.ts';
import { exportState } from './operations/export-state.ts';
import { getClock } from './operations/get-clock.ts';
import { getDocument } from './operations/get-document.ts';
import { getPolicy } from './operations/get-policy.ts';
import { getRequest } from './operations/get-request.ts';
import { getResource } from './operations/get-resource.ts';
import { getService } from './operations/get-service.ts';
import { getState } from './operations/get-state.ts';
import { importState } from './operations/import-state.ts';
import { listFaults } from './operations/list-faults.ts';
import { listRequests } from './operations/list-requests.ts';
import { listResources } from './operations/list-resources.ts';
import { listSnapshots } from './operations/list-snapshots.ts';
import { patchPolicy } from './operations/patch-policy.ts';
import { putClock } from './operations/put-clock.ts';
import { putFault } from './operations/put-fault.ts';
import { putResource } from './operations/put-resource.ts';
import { putSnapshot } from './operations/put-snapshot.ts';
import { reset } from './operations/reset.ts';
import { restoreSnapshot } from './operations/restore-snapshot.ts';
import { verifyRequests } from './operations/verify-requests.ts';

/** What the control interface can do, in the order of its document. */
export const controlOperations: readonly ControlOperation[] = [
  getDocument,
  getService,
  getState,
  listResources,
  putResource,
  getResource,
  deleteResource,
  exportState,
  importState,
  listSnapshots,
  putSnapshot,
  deleteSnapshot,
  restoreSnapshot,
  reset,
  getPolicy,
  patchPolicy,
  deletePolicy,
  listFaults,
  createFault,
  clearFaults,
  putFault,
  deleteFault,
  listRequests,
  clearRequests,
  verifyRequests,
  getRequest,
  getClock,
  putClock,
  advanceClock,
];
