import type { Pod } from "@kindling/core-spec";
import { describe, expect, test } from "vitest";
import { podSecurityViolations } from "../../src/index.ts";

const GOOD = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  capabilities: { drop: ["ALL"] },
  seccompProfile: { type: "RuntimeDefault" },
};

function pod(spec: object, container: object = {}, metadata: object = {}): Pod {
  return { metadata, spec: { ...spec, containers: [{ name: "spark", securityContext: GOOD, ...container }] } };
}

const secured = (context: object): object => ({ securityContext: { ...GOOD, ...context } });

describe("baseline", () => {
  test.each([
    ["hostNetwork=true", pod({ hostNetwork: true })],
    ["hostPID=true", pod({ hostPID: true })],
    ["volume disk: hostPath", pod({ volumes: [{ name: "disk", hostPath: { path: "/mnt/ssd" } }] })],
    ["container spark: privileged=true", pod({}, secured({ privileged: true }))],
    [
      "container spark: capabilities.add=SYS_ADMIN",
      pod({}, secured({ capabilities: { drop: ["ALL"], add: ["SYS_ADMIN"] } })),
    ],
    ["container spark: hostPort=4040", pod({}, { ports: [{ containerPort: 4040, hostPort: 4040 }] })],
    ["container spark: procMount=Unmasked", pod({}, secured({ procMount: "Unmasked" }))],
    ["container spark: seccompProfile.type=Unconfined", pod({}, secured({ seccompProfile: { type: "Unconfined" } }))],
    [
      "container spark: livenessProbe.httpGet.host=10.0.0.1",
      pod({}, { livenessProbe: { httpGet: { host: "10.0.0.1" } } }),
    ],
    [
      "container spark: preStop.tcpSocket.host=10.0.0.1",
      pod({}, { lifecycle: { preStop: { tcpSocket: { host: "10.0.0.1" } } } }),
    ],
    ["seLinuxOptions.type=spc_t", pod({ securityContext: { seLinuxOptions: { type: "spc_t" } } })],
    ["sysctl kernel.msgmax", pod({ securityContext: { sysctls: [{ name: "kernel.msgmax", value: "1" }] } })],
    [
      "annotation container.apparmor.security.beta.kubernetes.io/spark=unconfined",
      pod({}, {}, { annotations: { "container.apparmor.security.beta.kubernetes.io/spark": "unconfined" } }),
    ],
  ])("refuses %s", (words, given) => {
    expect(podSecurityViolations(given, "baseline")).toEqual([words]);
    expect(podSecurityViolations(given, "restricted")).toContain(words);
    expect(podSecurityViolations(given, "privileged")).toEqual([]);
  });
});

describe("restricted", () => {
  test.each([
    ["volume data: nfs", pod({ volumes: [{ name: "data", nfs: { server: "a", path: "/" } }] })],
    ["runAsUser=0", pod({ securityContext: { runAsUser: 0 } })],
    ["container spark: runAsUser=0", pod({}, secured({ runAsUser: 0 }))],
    ["container spark: runAsNonRoot is not true", pod({}, secured({ runAsNonRoot: undefined }))],
    [
      "container spark: runAsNonRoot is not true",
      pod({ securityContext: { runAsNonRoot: true } }, secured({ runAsNonRoot: false })),
    ],
    [
      "container spark: allowPrivilegeEscalation is not false",
      pod({}, secured({ allowPrivilegeEscalation: undefined })),
    ],
    ["container spark: capabilities.drop has no ALL", pod({}, secured({ capabilities: {} }))],
    ["container spark: capabilities.add=CHOWN", pod({}, secured({ capabilities: { drop: ["ALL"], add: ["CHOWN"] } }))],
    ["container spark: seccompProfile is not set", pod({}, secured({ seccompProfile: undefined }))],
    [
      "container init: allowPrivilegeEscalation is not false",
      pod({ initContainers: [{ name: "init", ...secured({ allowPrivilegeEscalation: true }) }] }),
    ],
  ])("refuses %s", (words, given) => {
    expect(podSecurityViolations(given, "restricted")).toEqual([words]);
    expect(podSecurityViolations(given, "baseline")).toEqual([]);
  });

  test("admits volumes of the namespace's own, and what the pod sets for its containers", () => {
    const types = [
      "configMap",
      "csi",
      "downwardAPI",
      "emptyDir",
      "ephemeral",
      "persistentVolumeClaim",
      "projected",
      "secret",
    ];
    const { runAsNonRoot, seccompProfile, ...own } = GOOD;
    const given = pod(
      { volumes: types.map((type) => ({ name: type, [type]: {} })), securityContext: { runAsNonRoot, seccompProfile } },
      { securityContext: own },
    );
    expect(podSecurityViolations(given, "restricted")).toEqual([]);
  });
});
