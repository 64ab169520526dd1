import type { ConformanceCase } from "../conformance-case.ts";
import { authenticationCases, authorizationCases } from "./access.ts";
import { applyCases } from "./applying.ts";
import { claimCases, configMapCases, otherObjectCases, secretCases, serviceCases } from "./configuration.ts";
import { endpointCases, quotaCases, workloadCases } from "./controllers.ts";
import { creatingCases } from "./creating.ts";
import { customResourceCases, definitionCases } from "./custom-resources.ts";
import { collectingCases, deletingCases, deletingCollectionCases, namespaceCases } from "./deleting.ts";
import { discoveryCases } from "./discovery.ts";
import { endingCases } from "./ending.ts";
import { podCases } from "./pods.ts";
import { oneServerCases } from "./one-server.ts";
import { jsonPatchCases, mergePatchCases, strategicPatchCases } from "./patching.ts";
import { listCases, readingCases } from "./reading.ts";
import { runningCases, schedulingCases } from "./running.ts";
import { subresourceCases } from "./subresources.ts";
import { tokenCases } from "./tokens.ts";
import { statusCases, updatingCases } from "./updating.ts";
import { watchCases, webSocketCases } from "./watching.ts";

/**
 * The behaviour of a Kubernetes API server, as its users see it. Every case is true for a real server and for the embedded
 * one, except for cases that say that only one of them can run them.
 */
export const conformanceCases: readonly ConformanceCase[] = [
  ...discoveryCases,
  ...readingCases,
  ...listCases,
  ...creatingCases,
  ...updatingCases,
  ...statusCases,
  ...jsonPatchCases,
  ...mergePatchCases,
  ...strategicPatchCases,
  ...applyCases,
  ...deletingCases,
  ...deletingCollectionCases,
  ...collectingCases,
  ...namespaceCases,
  ...watchCases,
  ...webSocketCases,
  ...podCases,
  ...configMapCases,
  ...secretCases,
  ...serviceCases,
  ...claimCases,
  ...otherObjectCases,
  ...subresourceCases,
  ...definitionCases,
  ...customResourceCases,
  ...tokenCases,
  ...authenticationCases,
  ...authorizationCases,
  ...quotaCases,
  ...endpointCases,
  ...workloadCases,
  ...runningCases,
  ...endingCases,
  ...schedulingCases,
  ...oneServerCases,
];
