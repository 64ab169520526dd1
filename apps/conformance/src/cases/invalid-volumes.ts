import type { InvalidPod } from "./invalid-pod.ts";

/** Invalid volumes and mounts. */
export const invalidVolumes: Readonly<Record<string, InvalidPod>> = {
  "a mount of no volume": {
    spec: { containers: [{ name: "a", image: "b", volumeMounts: [{ name: "v", mountPath: "/x" }] }] },
    causes: ['FieldValueNotFound spec.containers[0].volumeMounts[0].name: Not found: "v"'],
  },
  "two mounts at one path": {
    spec: {
      volumes: [{ name: "v", emptyDir: {} }],
      containers: [
        {
          name: "a",
          image: "b",
          volumeMounts: [
            { name: "v", mountPath: "/x" },
            { name: "v", mountPath: "/x" },
          ],
        },
      ],
    },
    causes: ['FieldValueInvalid spec.containers[0].volumeMounts[1].mountPath: Invalid value: "/x": must be unique'],
  },
  "a mount without a path": {
    spec: {
      volumes: [{ name: "v", emptyDir: {} }],
      containers: [{ name: "a", image: "b", volumeMounts: [{ name: "v", mountPath: "" }] }],
    },
    causes: ["FieldValueRequired spec.containers[0].volumeMounts[0].mountPath: Required value"],
  },
  "a mount's sub-path that leads out": {
    spec: {
      volumes: [{ name: "v", emptyDir: {} }],
      containers: [{ name: "a", image: "b", volumeMounts: [{ name: "v", mountPath: "/x", subPath: "../x" }] }],
    },
    causes: [
      "FieldValueInvalid spec.containers[0].volumeMounts.subPath: Invalid value: \"../x\": must not contain '..'",
    ],
  },
  "two volumes of one name": {
    spec: {
      volumes: [
        { name: "v", emptyDir: {} },
        { name: "v", emptyDir: {} },
      ],
    },
    causes: ['FieldValueDuplicate spec.volumes[1].name: Duplicate value: "v"'],
  },
  "a volume's name that is no label": {
    spec: { volumes: [{ name: "V_", emptyDir: {} }] },
    causes: [
      "FieldValueInvalid spec.volumes[0].name: Invalid value: \"V_\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ],
  },
  "a volume without a name": {
    spec: { volumes: [{ name: "", emptyDir: {} }] },
    causes: ["FieldValueRequired spec.volumes[0].name: Required value"],
  },
  "a volume of two kinds": {
    spec: { volumes: [{ name: "v", emptyDir: {}, configMap: { name: "x" } }] },
    causes: ["FieldValueForbidden spec.volumes[0].configMap: Forbidden: may not specify more than 1 volume type"],
  },
  "a config map volume without a name": {
    spec: { volumes: [{ name: "v", configMap: { name: "" } }] },
    causes: ["FieldValueRequired spec.volumes[0].configMap.name: Required value"],
  },
  "paths of files that lead out": {
    spec: {
      volumes: [
        {
          name: "v",
          configMap: {
            name: "x",
            items: [
              { key: "a", path: "/b" },
              { key: "b", path: "../b" },
            ],
          },
        },
      ],
    },
    causes: [
      'FieldValueInvalid spec.volumes[0].configMap.items[0].path: Invalid value: "/b": must be a relative path',
      "FieldValueInvalid spec.volumes[0].configMap.items[1].path: Invalid value: \"../b\": must not contain '..'",
    ],
  },
  "a secret volume without a name": {
    spec: { volumes: [{ name: "v", secret: {} }] },
    causes: ["FieldValueRequired spec.volumes[0].secret.secretName: Required value"],
  },
  "a host path without a path": {
    spec: { volumes: [{ name: "v", hostPath: { path: "" } }] },
    causes: ["FieldValueRequired spec.volumes[0].hostPath.path: Required value"],
  },
  "a host path that leads up": {
    spec: { volumes: [{ name: "v", hostPath: { path: "/a/../b" } }] },
    causes: ["FieldValueInvalid spec.volumes[0].hostPath.path: Invalid value: \"/a/../b\": must not contain '..'"],
  },
  "a token that lives too short": {
    spec: {
      volumes: [{ name: "v", projected: { sources: [{ serviceAccountToken: { path: "t", expirationSeconds: 5 } }] } }],
    },
    causes: [
      "FieldValueInvalid spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes",
    ],
  },
  "a claim volume without a claim": {
    spec: { volumes: [{ name: "v", persistentVolumeClaim: { claimName: "" } }] },
    causes: ["FieldValueRequired spec.volumes[0].persistentVolumeClaim.claimName: Required value"],
  },
};
