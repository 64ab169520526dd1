import { queuesOf } from "@kindling/admission";
import { expect, test } from "vitest";
import { parseQueues } from "../../src/config/queues/parse-queues.ts";

/** Wishes for queues from other projects, by their source: a file of queues, and who may use which queue. */
const WISHES: Readonly<Record<string, readonly [text: string, may: Readonly<Record<string, readonly string[]>>]>> = {
  // kubernetes-sigs/kueue, issue 1439
  "Kueue: one namespace by its name as a label, or several": [
    `queues:
      - name: one
        namespaces: { matchLabels: { kubernetes.io/metadata.name: team-a } }
      - name: several
        namespaces:
          matchExpressions: [{ key: kubernetes.io/metadata.name, operator: In, values: [team-a, team-b, team-c] }]`,
    { "team-a": ["one", "several"], "team-c": ["several"], other: [] },
  ],
  // kubernetes-sigs/kueue, issue 9745
  "Kueue: one namespace with the queues of two teams": [
    "queues: [{ name: a, namespaces: [shared, team-a] }, { name: b, namespaces: [shared, team-b] }]",
    { shared: ["a", "b"], "team-a": ["a"], "team-b": ["b"] },
  ],
  // armadaproject/armada, issue 4466
  "Armada: a queue for each group, and no other namespace in it": [
    "queues: [{ name: queue-a, namespaces: [namespace-a] }, { name: queue-b, namespaces: [namespace-b] }]",
    { "namespace-a": ["queue-a"], "namespace-b": ["queue-b"], other: [] },
  ],
  // volcano-sh/volcano, pull request 5629
  "Volcano: allowed namespaces, and a default queue for all": [
    'queues: [{ name: research, namespaces: [team-a, team-b] }, { name: default, namespaces: ["*"] }]',
    { "team-a": ["research", "default"], "team-c": ["default"] },
  ],
  // In YARN, ACLs of children only add rights to those of the root, but people expect the opposite
  "YARN: who may not use a queue may not use those below it, whatever these say": [
    'queues: [{ name: dev, namespaces: [dev-eng, dev-ds], children: [{ name: eng, namespaces: ["*"] }, { name: ds, namespaces: [dev-ds] }] }]',
    { "dev-eng": ["dev.eng"], "dev-ds": ["dev.eng", "dev.ds"], prod: [] },
  ],
  "Kueue: an empty selector is for all, and an empty list for nobody": [
    "queues: [{ name: all, namespaces: {} }, { name: closed, namespaces: [] }]",
    { any: ["all"] },
  ],
};

test.each(Object.entries(WISHES))("%s", (_name, [text, may]) => {
  const { root } = parseQueues(text, "queues.yaml");
  const found = Object.keys(may).map((name) => {
    const labels = { "kubernetes.io/metadata.name": name };
    return [name, queuesOf(root, { name, labels })];
  });
  expect(Object.fromEntries(found)).toEqual(may);
});
