import { expect, it } from "vitest";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { ledger } from "../../src/ledger/ledger.ts";
import { leaseEntries } from "../../src/metadata/lease-entries.ts";
import { LeaseState } from "../../src/metadata/lease-state.ts";
import { localDocuments } from "../../src/stores/local-disk/local-documents.ts";
import { sample } from "../../src/testing/random-bytes.ts";

function newState(): LeaseState {
  const record = { id: "a", namespace: "team-a", subject: "alice", ttlSeconds: 60, renewedAt: 0 };
  return new LeaseState(record, ledger().note("team-a", {}), true);
}

it("reads the other entries where one is damaged, and asks for that one once", async () => {
  const documents = await localDocuments(scratchFolder().path);
  const { digest } = sample(8);
  await leaseEntries(documents).add("a", { kind: "held", digests: [digest] }, newState());
  await documents.put("lease-entries/a", "damaged", { kind: "held", digests: ["none"] }, { expect: undefined });
  // As in a shared store, where a damaged document stays in its place.
  let asked = 0;
  const shared = leaseEntries({
    ...documents,
    get(collection, name) {
      if (name === "damaged") asked++;
      return documents.get(collection, name);
    },
    setAside: () => Promise.resolve(),
  });
  const state = newState();
  await shared.read("a", state);
  expect([...state.held]).toEqual([digest]);
  expect(asked).toBe(1);
});
