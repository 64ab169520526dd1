import { at } from "@kindling/test-kit/case-context";
import { ABSENT, expectMatch } from "@kindling/test-kit/matches";
import { expectRefusal, expectSuccess } from "@kindling/test-kit/refusal";
import { type ConformanceCase, inNamespace } from "../conformance-case.ts";
import { configMap } from "./objects.ts";

const TABLE = { headers: { Accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } };

export const configMapCases: readonly ConformanceCase[] = inNamespace("config map", {
  "keeps texts and bytes": async (t) => {
    const made = await t.create(t.path("configmaps"), { ...configMap("one", { a: "b" }), binaryData: { c: "AAE=" } });
    expectMatch(made, { data: { a: "b" }, binaryData: { c: "AAE=" } });
    const { body } = await t.client.get(t.path("configmaps", "one"), TABLE);
    expectMatch(at(body, "rows.0.cells"), ["one", 2, /^\d+s$/]);
  },
  "has keys that are file names": async (t) => {
    expectRefusal(await t.client.post(t.path("configmaps"), configMap("one", { "a b": "c" })), {
      code: 422,
      message: /data\[a b\]: Invalid value: "a b": a valid config key must consist of alphanumeric characters/,
    });
  },
  "has each key once": async (t) => {
    expectRefusal(
      await t.client.post(t.path("configmaps"), { ...configMap("one", { a: "b" }), binaryData: { a: "AAE=" } }),
      {
        code: 422,
        message: /data\[a\]: Invalid value: "a": duplicate of key present in binaryData/,
      },
    );
  },
  "has at most a mebibyte": async (t) => {
    expectRefusal(await t.client.post(t.path("configmaps"), configMap("one", { a: "x".repeat(1024 * 1024 + 1) })), {
      code: 422,
      message: 'ConfigMap "one" is invalid: []: Too long: may not be more than 1048576 bytes',
    });
  },
  "does not change if it says so": async (t) => {
    await t.create(t.path("configmaps"), { ...configMap("one", { a: "1" }), immutable: true });
    expectRefusal(await t.client.patch(t.path("configmaps", "one"), "merge", { data: { a: "2" } }), {
      code: 422,
      message: 'ConfigMap "one" is invalid: data: Forbidden: field is immutable when `immutable` is set',
    });
    expectRefusal(await t.client.patch(t.path("configmaps", "one"), "merge", { immutable: false }), {
      code: 422,
      message: /immutable: Forbidden: field is immutable when `immutable` is set/,
    });
    expectSuccess(
      await t.client.patch(t.path("configmaps", "one"), "merge", { metadata: { labels: { a: "b" } } }),
      200,
    );
  },
});

export const secretCases: readonly ConformanceCase[] = inNamespace("secret", {
  "turns texts into bytes": async (t) => {
    const made = await t.create(t.path("secrets"), {
      metadata: { name: "one" },
      data: { a: "YQ==", b: "Yg==" },
      stringData: { b: "B", c: "ü" },
    });
    expectMatch(made, { type: "Opaque", data: { a: "YQ==", b: "Qg==", c: "w7w=" }, stringData: ABSENT });
  },
  "takes base64 only": async (t) => {
    expectRefusal(await t.client.post(t.path("secrets"), { metadata: { name: "one" }, data: { a: "not base64" } }), {
      code: 400,
      reason: "BadRequest",
      message: /^Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 3$/,
    });
  },
  "keeps its type": async (t) => {
    await t.create(t.path("secrets"), { metadata: { name: "one" } });
    expectRefusal(await t.client.patch(t.path("secrets", "one"), "merge", { type: "other" }), {
      code: 422,
      message: /type: Invalid value: "other": field is immutable/,
    });
  },
  "is found by its type": async (t) => {
    await t.create(t.path("secrets"), { metadata: { name: "one" } });
    await t.create(t.path("secrets"), { metadata: { name: "two" }, type: "example.com/other" });
    const { body } = await t.client.get(`${t.path("secrets")}?fieldSelector=type%3Dexample.com/other`);
    expectMatch(body["items"], [{ metadata: { name: "two" } }]);
  },
  "does not change if it says so": async (t) => {
    await t.create(t.path("secrets"), { metadata: { name: "one" }, immutable: true, stringData: { a: "1" } });
    expectRefusal(await t.client.patch(t.path("secrets", "one"), "merge", { stringData: { a: "2" } }), {
      code: 422,
      message: 'Secret "one" is invalid: data: Forbidden: field is immutable when `immutable` is set',
    });
  },
});

export const serviceCases: readonly ConformanceCase[] = inNamespace("service", {
  "gets an address and defaults": async (t) => {
    const made = await t.create(t.path("services"), {
      metadata: { name: "one" },
      spec: { ports: [{ port: 80 }], selector: { a: "b" } },
    });
    const address = String(at(made, "spec.clusterIP"));
    expectMatch(address, /^\d+\.\d+\.\d+\.\d+$/);
    expectMatch(made, {
      spec: {
        ports: [{ protocol: "TCP", port: 80, targetPort: 80 }],
        clusterIPs: [address],
        type: "ClusterIP",
        sessionAffinity: "None",
        ipFamilies: ["IPv4"],
        ipFamilyPolicy: "SingleStack",
        internalTrafficPolicy: "Cluster",
      },
      status: { loadBalancer: {} },
    });
  },
  "may go without an address, as the driver's does": async (t) => {
    const made = await t.create(t.path("services"), {
      metadata: { name: "one" },
      spec: { clusterIP: "None", ports: [{ name: "driver-rpc-port", port: 7078, targetPort: 7078 }] },
    });
    expectMatch(made["spec"], { clusterIP: "None", clusterIPs: ["None"], type: "ClusterIP" });
  },
  "gets a port on every node if it wants one": async (t) => {
    const made = await t.create(t.path("services"), {
      metadata: { name: "one" },
      spec: { type: "NodePort", ports: [{ port: 80 }] },
    });
    const port = Number(at(made, "spec.ports.0.nodePort"));
    expectMatch(port >= 30_000 && port <= 32_767, true, `node port ${port}`);
    expectMatch(made["spec"], { externalTrafficPolicy: "Cluster" });
  },
  "keeps its address": async (t) => {
    await t.create(t.path("services"), { metadata: { name: "one" }, spec: { ports: [{ port: 80 }] } });
    expectRefusal(await t.client.patch(t.path("services", "one"), "merge", { spec: { clusterIP: "10.96.99.99" } }), {
      code: 422,
      reason: "Invalid",
      message: /spec\.clusterIPs\[0\]: Invalid value: \["10\.96\.99\.99"\]: may not change once set/,
    });
  },
  "has a table": async (t) => {
    await t.create(t.path("services"), {
      metadata: { name: "one" },
      spec: {
        clusterIP: "None",
        ports: [
          { name: "a", port: 80 },
          { name: "b", port: 81, protocol: "UDP" },
        ],
        selector: { a: "b" },
      },
    });
    const { body } = await t.client.get(t.path("services", "one"), TABLE);
    expectMatch(at(body, "rows.0.cells"), ["one", "ClusterIP", "None", "<none>", "80/TCP,81/UDP", /s$/, "a=b"]);
  },
  "must make sense": async (t) => {
    const expected: Readonly<Record<string, readonly [object, RegExp]>> = {
      "no port": [{ ports: [] }, /spec\.ports: Required value$/],
      "a port of zero": [
        { ports: [{ port: 0 }] },
        /spec\.ports\[0\]\.port: Invalid value: 0: must be between 1 and 65535, inclusive/,
      ],
      "ports without names": [
        { ports: [{ port: 80 }, { port: 81 }] },
        /spec\.ports\[0\]\.name: Required value, spec\.ports\[1\]\.name: Required value/,
      ],
      "one port twice": [
        {
          ports: [
            { name: "a", port: 80 },
            { name: "b", port: 80 },
          ],
        },
        /spec\.ports\[1\]: Duplicate value: \{"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,/,
      ],
      "an unknown type": [
        { type: "X", ports: [{ port: 80 }] },
        /spec\.type: Unsupported value: "X": supported values: /,
      ],
    };
    for (const [what, [spec, message]] of Object.entries(expected)) {
      const answer = await t.client.post(t.path("services"), { metadata: { name: "one" }, spec });
      expectMatch([what, answer.status, String(answer.body["message"])], [what, 422, message]);
    }
  },
  "has a name that begins with a letter": async (t) => {
    expectRefusal(
      await t.client.post(t.path("services"), { metadata: { name: "1a" }, spec: { ports: [{ port: 80 }] } }),
      {
        code: 422,
        message: /metadata\.name: Invalid value: "1a": a DNS-1035 label must consist of/,
      },
    );
  },
});

export const claimCases: readonly ConformanceCase[] = inNamespace("persistent volume claim", {
  "waits for a volume": async (t) => {
    const made = await t.create(t.path("persistentvolumeclaims"), {
      metadata: { name: "one" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, storageClassName: "none" },
    });
    expectMatch(made, {
      metadata: { finalizers: ["kubernetes.io/pvc-protection"] },
      spec: { volumeMode: "Filesystem" },
      status: { phase: "Pending" },
    });
  },
  "must say what it needs": async (t) => {
    expectRefusal(await t.client.post(t.path("persistentvolumeclaims"), { metadata: { name: "one" }, spec: {} }), {
      code: 422,
      causes: [
        "FieldValueRequired spec.accessModes: Required value: at least 1 access mode is required",
        "FieldValueRequired spec.resources[storage]: Required value",
      ],
    });
  },
  "keeps what it asked for": async (t) => {
    await t.create(t.path("persistentvolumeclaims"), {
      metadata: { name: "one" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, storageClassName: "none" },
    });
    const path = t.path("persistentvolumeclaims", "one");
    expectRefusal(await t.client.patch(path, "merge", { spec: { storageClassName: "other" } }), {
      code: 422,
      message:
        /spec: Forbidden: spec is immutable after creation except resources\.requests and volumeAttributesClassName for bound claims/,
    });
  },
});

export const otherObjectCases: readonly ConformanceCase[] = inNamespace("other objects", {
  "leases hold times to the microsecond": async (t) => {
    const path = t.groupPath("coordination.k8s.io/v1", "leases");
    const made = await t.create(path, {
      metadata: { name: "one" },
      spec: { holderIdentity: "me", leaseDurationSeconds: 15, renewTime: "2026-01-01T00:00:00.500000Z" },
    });
    expectMatch(at(made, "spec.renewTime"), "2026-01-01T00:00:00.500000Z");
  },
  "network policies default to traffic that comes in": async (t) => {
    const made = await t.create(t.groupPath("networking.k8s.io/v1", "networkpolicies"), {
      metadata: { name: "one" },
      spec: { podSelector: {} },
    });
    expectMatch(made["spec"], { podSelector: {}, policyTypes: ["Ingress"] });
  },
  "quotas must make sense": async (t) => {
    expectRefusal(
      await t.client.post(t.path("resourcequotas"), { metadata: { name: "one" }, spec: { hard: { pods: "-1" } } }),
      { code: 422, message: /spec\.hard\[pods\]: Invalid value: "-1": must be greater than or equal to 0/ },
    );
  },
  "bindings keep their role": async (t) => {
    const path = t.groupPath("rbac.authorization.k8s.io/v1", "rolebindings");
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };
    await t.create(path, { metadata: { name: "one" }, roleRef });
    expectRefusal(await t.client.patch(`${path}/one`, "merge", { roleRef: { name: "edit" } }), {
      code: 422,
      message: /roleRef: Invalid value: .*: cannot change roleRef/,
    });
  },
});
