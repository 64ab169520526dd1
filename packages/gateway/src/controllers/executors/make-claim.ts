import type { KubeClient } from "@kindling/kube";
import type { Application } from "../../views/applications/application.ts";
import { createOrAdopt, type Created } from "../../cluster/create-or-adopt.ts";
import { takeAway } from "../../cluster/take-away.ts";
import { UPSTREAM } from "../../cluster/upstream-types.ts";
import { type Entry, isAbandoned } from "../../views/entry.ts";
import { isMadeAs, marked } from "../../views/marked.ts";
import { withRealOwners } from "./held-claims.ts";

const NO_OWNER: Created = { kind: "for-now", message: "the claim's owner is not in the cluster yet" };

/**
 * Creates a claim of a view in the cluster, and shows the created claim. Undefined if this was done already.
 *
 * @throws KubeError if the driver has deleted the claim in the meantime, and it cannot be deleted from the cluster
 */
export async function makeClaim(
  client: KubeClient,
  application: Application,
  entry: Entry,
): Promise<Created | undefined> {
  const { state } = entry;
  if (state.kind !== "waiting" && state.kind !== "creating") return undefined;
  const request = withRealOwners(application, state.request);
  if (request === undefined) return NO_OWNER;
  entry.beginCreating(state.request);
  const type = UPSTREAM.persistentvolumeclaims;
  const wanted = marked(request, entry);
  const answer = await createOrAdopt(client, type, wanted, (found) => isMadeAs(wanted, found));
  if (answer.kind !== "created") return answer;
  if (isAbandoned(entry)) await takeAway(client, type, answer.object);
  else application.claims.seen(answer.object);
  return answer;
}
