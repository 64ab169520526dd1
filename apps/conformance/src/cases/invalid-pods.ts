import type { InvalidPod } from "./invalid-pod.ts";

/** Other invalid pod specs. */
export const invalidPods: Readonly<Record<string, InvalidPod>> = {
  "a negative amount": {
    spec: { containers: [{ name: "a", image: "b", resources: { limits: { cpu: "-1" } } }] },
    causes: [
      'FieldValueInvalid spec.containers[0].resources.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
      'FieldValueInvalid spec.containers[0].resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0',
    ],
  },
  "a request above its limit": {
    spec: { containers: [{ name: "a", image: "b", resources: { requests: { cpu: "2" }, limits: { cpu: "1" } } }] },
    causes: [
      'FieldValueInvalid spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
    ],
  },
  "a device without a limit": {
    spec: { containers: [{ name: "a", image: "b", resources: { requests: { "nvidia.com/gpu": "1" } } }] },
    causes: [
      "FieldValueRequired spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources",
    ],
  },
  "half a device": {
    spec: { containers: [{ name: "a", image: "b", resources: { limits: { "nvidia.com/gpu": "1.5" } } }] },
    causes: [
      'FieldValueInvalid spec.containers[0].resources.limits[nvidia.com/gpu]: Invalid value: "1500m": must be an integer',
      'FieldValueInvalid spec.containers[0].resources.requests[nvidia.com/gpu]: Invalid value: "1500m": must be an integer',
    ],
  },
  "an unknown pull policy": {
    spec: { containers: [{ name: "a", image: "b", imagePullPolicy: "X" }] },
    causes: [
      'FieldValueNotSupported spec.containers[0].imagePullPolicy: Unsupported value: "X": supported values: "Always", "IfNotPresent", "Never"',
    ],
  },
  "an init container with a probe and a hook": {
    spec: {
      initContainers: [
        {
          name: "i",
          image: "x",
          lifecycle: { preStop: { exec: { command: ["x"] } } },
          livenessProbe: { exec: { command: ["x"] } },
        },
      ],
    },
    causes: [
      "FieldValueForbidden spec.initContainers[0].lifecycle: Forbidden: may not be set for init containers without restartPolicy=Always",
      "FieldValueForbidden spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always",
    ],
  },
  "an unknown restart policy": {
    spec: { restartPolicy: "X" },
    causes: [
      'FieldValueNotSupported spec.restartPolicy: Unsupported value: "X": supported values: "Always", "OnFailure", "Never"',
    ],
  },
  "a node selector with a bad key": {
    spec: { nodeSelector: { "bad key": "x" } },
    causes: [
      "FieldValueInvalid spec.nodeSelector: Invalid value: \"bad key\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
  },
  "a host name that is no label": {
    spec: { hostname: "A_" },
    causes: [
      "FieldValueInvalid spec.hostname: Invalid value: \"A_\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ],
  },
  "tolerations that contradict themselves": {
    spec: {
      tolerations: [
        { key: "a", operator: "Exists", value: "b" },
        { key: "a", operator: "X" },
        { key: "a", effect: "Z" },
      ],
    },
    causes: [
      "FieldValueInvalid spec.tolerations[0].operator: Invalid value: \"b\": value must be empty when `operator` is 'Exists'",
      'FieldValueNotSupported spec.tolerations[1].operator: Unsupported value: "X": supported values: "Equal", "Exists"',
      'FieldValueNotSupported spec.tolerations[2].effect: Unsupported value: "Z": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
  },
};
